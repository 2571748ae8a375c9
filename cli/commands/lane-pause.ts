import type { Command } from 'commander';
import { pauseLane } from '../../functions/domain/lane-control.ts';
import type { Act, Answer } from '../answer.ts';
import { parseReason } from '../arguments.ts';
import { chosenLane, type LaneOptions, laneCommand } from '../chosen-lane.ts';
import type { Desk } from '../desk.ts';
import { laneAnswer } from '../lane-answer.ts';

interface Options extends LaneOptions {
  readonly reason?: string;
}

export function lanePause(group: Command, act: Act): void {
  laneCommand(group, 'pause', 'Bind nothing more. What is sent already goes on being settled.')
    .option('--reason <text>', 'shown by lane status, and in the log', parseReason)
    .action((options: Options) => act((desk) => pause(desk, options)));
}

async function pause(desk: Desk, options: Options): Promise<Answer> {
  const { services, lane } = await chosenLane(desk, options);
  const state = await pauseLane(services, lane, options.reason);
  return laneAnswer(state, `is paused: ${state.paused}`);
}
