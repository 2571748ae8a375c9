import { ageLimits, blockAgeSeconds, secondsSince } from '../age-limits.ts';
import { type Attestation, isTerminal } from '../attestation/attestation.ts';
import type { Block, Chain } from '../chain.ts';
import { laneName } from '../lane/lane.ts';
import { findLaneState } from '../lane/lane-records.ts';
import { waitingQueues } from '../lane/queue-records.ts';
import { queuesOf } from '../lane/served-queues.ts';
import { chainSigners } from '../lane/signers.ts';
import { findTransaction } from '../lane/transaction-records.ts';
import type { Services } from '../services.ts';

/**
 * Reports what the lanes of a chain have waited for too long: a line at every look, so that the alarm stays up for as
 * long. The sweep looks, because a lane's own execution may sleep or have died.
 */
export async function reportOverdueLanes(services: Services, chainId: number): Promise<void> {
  const chain = services.chain(chainId);
  const signers = await chainSigners(services, chainId);
  const lanes = signers.map(({ address }) => laneName(chainId, address));
  const areBusy = await Promise.all(lanes.map((lane) => reportLane(services, chain, lane)));
  // The head of an idle chain is of no concern: some chains make blocks only for transactions.
  if (areBusy.includes(true)) reportStaleHead(services, chain, await chain.head());
}

/** Reports a lane's lowest unmined transaction, its oldest. @returns whether the lane has anything unsettled or queued */
async function reportLane(services: Services, chain: Chain, lane: string): Promise<boolean> {
  const { records, log, now } = services;
  const state = await findLaneState(records, lane);
  // Absent when all is mined.
  const lowest = state && (await findTransaction(records, lane, state.minedNonce));
  const ageSeconds = lowest ? secondsSince(lowest.boundAt, now()) : 0;
  if (ageSeconds > ageLimits(chain.settings).unmined)
    log.warn('transaction unmined for long', { lane, nonce: lowest?.nonce, ageSeconds });
  if (state && state.finalNonce < state.nextNonce) return true;
  return (await waitingQueues(records, queuesOf(chain, state ?? { lane }))).length > 0;
}

/** Reports a newest block that is older than it should be: the chain stands still, or a provider does. */
export function reportStaleHead({ log, now }: Services, { settings }: Chain, head: Block): void {
  const ageSeconds = blockAgeSeconds(head, now());
  if (ageSeconds <= ageLimits(settings).head) return;
  log.warn('head stale', { chainId: settings.chainId, blockNumber: head.number, ageSeconds });
}

/**
 * Reports an attestation that should have been confirmed or failed by now. Whoever looks at an unfinished one calls it:
 * Commit and Reveal at each of their time-outs, and the sweep where they do not.
 */
export function reportUnfinished({ settings, log, now }: Services, row: Attestation): void {
  const { organizationId, id, chainId, createdAt } = row;
  const ageSeconds = secondsSince(createdAt, now());
  const limits = ageLimits(settings.chains.find((chain) => chain.chainId === chainId));
  if (isTerminal(row) || ageSeconds <= limits.unfinished) return;
  log.warn('attestation unfinished for long', { organizationId, id, chainId, ageSeconds });
}
