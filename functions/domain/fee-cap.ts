import type { Candidate } from './bind.ts';
import { dropOperation } from './drop-operation.ts';
import type { LaneState } from './lane.ts';
import { changedState, changeState } from './lane-records.ts';
import type { Chain } from './ports.ts';
import type { Services } from './services.ts';
import { tryAgain } from './verdict.ts';

/** How an operation's turn ended while fees are above the cap. */
export interface Wait {
  readonly state: LaneState;
  /** It waited too long and was given up. */
  readonly left: boolean;
}

/**
 * Fees are above the cap: the lane notes since when, and gives up an operation that has been waiting for them to fall
 * for longer than the longest wait.
 *
 * @returns nothing when somebody else changed the lane meanwhile
 */
export async function waitForFees(
  services: Services,
  chain: Chain,
  { state, operation, row }: Candidate,
): Promise<Wait | undefined> {
  const now = services.now();
  services.log.warn('fee cap reached', { lane: state.lane });
  if (state.cappedSince === undefined) {
    const fields = { cappedSince: now.toISOString() };
    const noted = await services.records.update(changeState(state, fields));
    return noted && { state: changedState(state, fields), left: false };
  }
  const hours = services.settings.maxQueuedHours;
  const since = Math.max(Date.parse(state.cappedSince), Date.parse(operation.queuedAt));
  if (now.getTime() - since < hours * 3_600_000) return { state, left: false };
  const cap = chain.settings.maxFeePerGasGwei;
  const reason = `gas price stayed above the cap of ${cap} gwei for ${hours} h; ${tryAgain(operation.kind)}`;
  await dropOperation(services, chain, { operation, row }, { kind: 'refused', reason });
  return { state, left: true };
}
