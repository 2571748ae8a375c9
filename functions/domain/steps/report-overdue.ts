import { ageLimits, blockAgeSeconds, secondsSince } from '../age-limits.ts';
import { type Attestation, isTerminal } from '../attestation/attestation.ts';
import type { Block, Chain } from '../chain.ts';
import { laneName } from '../lane/lane.ts';
import { findLaneState } from '../lane/lane-records.ts';
import { type LaneServices, laneServices } from '../lane/lane-services.ts';
import { listOperations } from '../lane/queue-records.ts';
import { queuesOf } from '../lane/served-queues.ts';
import { chainSigners } from '../lane/signers.ts';
import { findTransaction } from '../lane/transaction-records.ts';
import type { Services } from '../services.ts';
import { reportFunds } from './report-funds.ts';

/** Number of operations read from the front of a queue to find the oldest one. */
const maxOperationsRead = 100;

/** Reports overdue transactions and stale blocks at every sweep, so that alarms last even if the lane does not run. */
export async function reportOverdueLanes(services: Services, chainId: number): Promise<void> {
  const chain = services.chain(chainId);
  const signers = await chainSigners(services, chainId);
  const names = signers.map(({ address }) => laneName(chainId, address));
  const lanes = await Promise.all(names.map((lane) => reportLane(laneServices(services, lane))));
  const oldestQueuedSeconds = Math.max(0, ...lanes.map((lane) => lane.oldestQueuedSeconds));
  services.log.info('queues checked', { chainId, oldestQueuedSeconds });
  // The head of an idle chain is not read: some chains only make blocks for transactions. All reads share one request.
  const [head] = await Promise.all([
    lanes.some(({ isBusy }) => isBusy) ? chain.head() : undefined,
    reportFunds(services, chain, signers),
  ]);
  if (!head) return;
  services.log.info('chain checked', { chainId, headAgeSeconds: blockAgeSeconds(head, services.now()) });
  reportStaleHead(services, chain, head);
}

/** Reports a lane's lowest unmined transaction, which is the oldest. */
async function reportLane(services: LaneServices) {
  const { records, log, now, lane, laneChain } = services;
  const state = await findLaneState(records, lane);
  // Absent if all transactions are mined.
  const lowest = state && (await findTransaction(records, lane, state.minedNonce));
  const ageSeconds = lowest ? secondsSince(lowest.boundAt, now()) : 0;
  if (ageSeconds > ageLimits(laneChain.settings).unmined)
    log.warn('transaction unmined for too long', { lane, nonce: lowest?.nonce, ageSeconds });
  const queues = queuesOf(services, state);
  const listed = queues.map((queue) => listOperations(services, queue, maxOperationsRead));
  const queued = (await Promise.all(listed)).flat();
  // A reveal's time is the end of its delay, which may be in the future.
  const ages = queued.map(({ queuedAt }) => secondsSince(queuedAt, now()));
  const isUnsettled = state !== undefined && state.finalNonce < state.nextNonce;
  return { isBusy: isUnsettled || queued.length > 0, oldestQueuedSeconds: Math.max(0, ...ages) };
}

/** Reports a stale newest block, of the chain or of a provider. */
export function reportStaleHead({ log, now }: Services, { settings }: Chain, head: Block): void {
  const ageSeconds = blockAgeSeconds(head, now());
  if (ageSeconds <= ageLimits(settings).head) return;
  log.warn('head stale', { chainId: settings.chainId, blockNumber: head.number, ageSeconds });
}

/** Reports an attestation that should have ended. @returns its age in seconds */
export function reportUnfinished({ settings, log, now }: Services, row: Attestation): number {
  const { organizationId, id, chainId, createdAt } = row;
  const ageSeconds = secondsSince(createdAt, now());
  const limits = ageLimits(settings.chains.find((chain) => chain.chainId === chainId));
  if (!isTerminal(row) && ageSeconds > limits.unfinished)
    log.warn('attestation unfinished for too long', { organizationId, id, chainId, ageSeconds });
  return ageSeconds;
}
