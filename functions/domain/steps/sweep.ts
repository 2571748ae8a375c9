import { type AttestationKey, checkLater, isTerminal, noCheck } from '../attestation/attestation.ts';
import { attestationRow, parseReadable } from '../attestation/attestation-records.ts';
import { laneName, parseLane } from '../lane/lane.ts';
import { findLaneState, recordServed } from '../lane/lane-records.ts';
import { waitingQueues } from '../lane/queue-records.ts';
import { answersFor, queuesOf } from '../lane/served-queues.ts';
import { chainSigners } from '../lane/signers.ts';
import { startLane, startRun, startSuccessors } from '../lane/start-lane.ts';
import type { Services } from '../services.ts';
import { isDisturbed } from '../settling/reorganisation.ts';
import { moveQueued } from './move-queued.ts';
import { reportOverdueLanes, reportUnfinished } from './report-overdue.ts';

/** Limit of attestations checked in one sweep; the next sweep, a minute later, checks the rest. */
const sweepLimit = 200;

/**
 * Restarts the executions that a crash ended: executions are hints, the rows are the truth. Two sweeps may run at once.
 */
export async function sweep(services: Services): Promise<void> {
  // All at once: a chain that cannot be reached holds up no other, and no attestation.
  await Promise.all([
    ...services.settings.chains.map(({ chainId }) =>
      attempt(services, () => restartLanes(services, chainId)),
    ),
    ...services.settings.chains.map(({ chainId }) =>
      attempt(services, () => reportOverdueLanes(services, chainId), 'sweep could not look at a chain'),
    ),
    attempt(services, () => restartAttestations(services)),
  ]);
}

/** One that cannot be restarted must not keep the others waiting. */
async function attempt(
  services: Services,
  action: () => Promise<void>,
  failure = 'sweep could not restart',
): Promise<void> {
  try {
    await action();
  } catch (error) {
    services.log.error(failure, error);
  }
}

async function restartAttestations(services: Services): Promise<void> {
  const due = await services.records.due(services.now().toISOString(), sweepLimit);
  for (const { pk, sk } of due)
    await attempt(services, () => restart(services, { organizationId: pk, id: sk }));
}

async function restart(services: Services, key: AttestationKey): Promise<void> {
  const { records, executions, now } = services;
  const rowKey = attestationRow(key);
  const fields = await records.get(rowKey);
  if (!fields) return;
  const row = parseReadable(services, key, fields);
  // Malformed: at the head of those that are due, it would keep the others from being looked at.
  if (!row) return void (await records.update({ key: rowKey, set: checkLater(now()), ifPresent: true }));
  // The index lags, and a crash may have left it behind a terminal status.
  if (isTerminal(row)) return void (await records.update({ key: rowKey, set: noCheck, ifPresent: true }));
  reportUnfinished(services, row);
  if ((await executions.startAttest({ ...key, run: row.run })) === 'closed') {
    const run = row.run + 1;
    // The sweep that raises the run starts it; if that fails, the attestation is still due at the next sweep.
    const raised = await records.update({ key: rowKey, expect: { run: row.run }, set: { run } });
    if (!raised || (await executions.startAttest({ ...key, run })) === 'closed') return;
  }
  await records.update({ key: rowKey, expect: { status: row.status }, set: checkLater(now()) });
}

async function restartLanes(services: Services, chainId: number): Promise<void> {
  for (const { address } of await chainSigners(services, chainId)) {
    await attempt(services, () => restartLane(services, laneName(chainId, address)));
  }
}

async function restartLane(services: Services, lane: string): Promise<void> {
  const { chainId } = parseLane(lane);
  const chain = services.chain(chainId);
  const known = await findLaneState(services.records, lane);
  const state = known && (await recordServed(services, chain, known));
  const isUnsettled = state !== undefined && state.finalNonce < state.nextNonce;
  const queues = queuesOf(chain, state ?? { lane });
  for (const queue of queues) await moveQueued(services, queue);
  const waiting = await waitingQueues(services.records, queues);
  const left = state ? waiting.filter((queue) => !answersFor(state, queue)) : [];
  await startSuccessors(services, lane, left);
  const isOwing = waiting.length > left.length || (isUnsettled && state.minedNonce < state.nextNonce);
  if (isOwing) return startLane(services, lane, state);
  // It may sleep until what is mined is final.
  if (isUnsettled) return startRun(services, lane, state.run);
  // A reorganisation deeper than `confirmations` may undo final transactions of an idle lane, also of a retired one.
  if (state && (await isDisturbed(services, chain, state))) await startLane(services, lane);
}
