import type { Command } from 'commander';
import { resyncLane } from '../../functions/domain/lane-control-resync.ts';
import type { Act, Answer } from '../answer.ts';
import { chosenLane, type LaneOptions, laneCommand } from '../chosen-lane.ts';
import type { Desk } from '../desk.ts';
import { laneAnswer } from '../lane-answer.ts';

const description =
  'Go on behind transactions of the key that the lane does not know: somebody else made them, or the table was ' +
  'restored from a backup. Find out which it is first.';

export function laneResync(group: Command, act: Act): void {
  laneCommand(group, 'resync', description).action((options: LaneOptions) =>
    act((desk) => resync(desk, options)),
  );
}

async function resync(desk: Desk, options: LaneOptions): Promise<Answer> {
  const { services, lane } = await chosenLane(desk, options);
  const state = await resyncLane(services, lane);
  return laneAnswer(state, `goes on with nonce ${state.nextNonce}, and is not paused.`);
}
