import type { Command } from 'commander';
import { laneStatus as readStatus } from '../../functions/domain/lane-status-read.ts';
import type { Act, Answer } from '../answer.ts';
import { chosenLane, type LaneOptions, laneCommand } from '../chosen-lane.ts';
import type { Desk } from '../desk.ts';
import { laneStatusText } from '../lane-status-text.ts';

export function laneStatus(group: Command, act: Act): void {
  laneCommand(
    group,
    'status',
    'Show what a lane has sent, what it is to send, and what it waits for.',
  ).action((options: LaneOptions) => act((desk) => show(desk, options)));
}

async function show(desk: Desk, options: LaneOptions): Promise<Answer> {
  const { services, lane } = await chosenLane(desk, options);
  const status = await readStatus(services, lane);
  return { json: { ...status }, text: laneStatusText(status) };
}
