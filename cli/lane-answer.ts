import type { LaneState } from '../functions/domain/lane.ts';
import type { Answer } from './answer.ts';

/** What a lane is like after a command changed it. */
export function laneAnswer(state: LaneState, sentence: string): Answer {
  const {
    lane,
    paused = null,
    retired = null,
    nextNonce: next,
    minedNonce: mined,
    finalNonce: final,
  } = state;
  return {
    json: { lane, paused, retired, nonces: { next, mined, final } },
    text: `Lane ${lane} ${sentence}`,
  };
}
