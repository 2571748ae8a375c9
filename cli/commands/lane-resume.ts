import type { Command } from 'commander';
import { resumeLane } from '../../functions/domain/lane-control.ts';
import type { Act, Answer } from '../answer.ts';
import { chosenLane, type LaneOptions, laneCommand } from '../chosen-lane.ts';
import type { Desk } from '../desk.ts';
import { laneAnswer } from '../lane-answer.ts';

export function laneResume(group: Command, act: Act): void {
  laneCommand(group, 'resume', 'Let a paused lane bind again.').action((options: LaneOptions) =>
    act((desk) => resume(desk, options)),
  );
}

async function resume(desk: Desk, options: LaneOptions): Promise<Answer> {
  const { services, lane } = await chosenLane(desk, options);
  const state = await resumeLane(services, lane);
  const retired =
    state.retired &&
    `, but its signer is ${state.retired}: nothing goes through a forwarder with it any more`;
  return laneAnswer(state, `is not paused${retired ?? ''}.`);
}
