import type { Chain } from '../chain.ts';
import type { LaneState } from '../lane/lane.ts';
import { writeState } from '../lane/lane-records.ts';
import type { Candidate } from '../operation/candidates.ts';
import { dropOperation, mayFail } from '../operation/drop-operations.ts';
import { tryAgain } from '../operation/revert-diagnosis.ts';
import type { Services } from '../services.ts';

/** Result of waiting while fees are above the cap. */
export interface FeeWait {
  readonly state: LaneState;
  /** Operations that waited too long and were ended. */
  readonly handled: readonly Candidate[];
}

/**
 * Records since when fees are above the cap, and ends the operations that have been waiting for them to fall for longer
 * than `maxQueuedHours`.
 */
export async function waitForFees(
  services: Services,
  chain: Chain,
  state: LaneState,
  waiting: readonly Candidate[],
): Promise<FeeWait> {
  const now = services.now();
  services.log.warn('fee cap reached', { lane: state.lane });
  const { cappedSince } = state;
  if (cappedSince === undefined) {
    return { state: await writeState(services, state, { cappedSince: now.toISOString() }), handled: [] };
  }
  const hours = services.settings.maxQueuedHours;
  const waitedFrom = ({ operation }: Candidate) =>
    Math.max(Date.parse(cappedSince), Date.parse(operation.queuedAt));
  const isOverdue = (one: Candidate) => now.getTime() - waitedFrom(one) >= hours * 3_600_000;
  const overdue = waiting.filter((one) => isOverdue(one) && mayFail(one));
  await Promise.all(overdue.map((candidate) => giveUp(services, chain, candidate)));
  return { state, handled: overdue };
}

/** Records that fees are below the cap, although nothing is sent: when they rise again, the wait starts over. */
export async function feesFell(services: Services, state: LaneState): Promise<LaneState> {
  return state.cappedSince === undefined ? state : writeState(services, state, { cappedSince: undefined });
}

function giveUp(services: Services, chain: Chain, candidate: Candidate): Promise<void> {
  const { maxFeePerGasGwei: cap } = chain.settings;
  const { maxQueuedHours: hours } = services.settings;
  const again = tryAgain(candidate.operation.kind);
  const reason = `gas price stayed above the cap of ${cap} gwei for ${hours} h; ${again}`;
  return dropOperation(services, chain, candidate, { kind: 'refused', reason });
}
