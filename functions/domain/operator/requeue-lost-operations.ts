import { type Attestation, checkAtTime, type OperationKind } from '../attestation/attestation.ts';
import { attestationRow, findReadable } from '../attestation/attestation-records.ts';
import { LostRaceError } from '../errors.ts';
import { type LaneState, laneName, queueName } from '../lane/lane.ts';
import { findLaneState, laneStateRecord } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { listOperations, operationKey, putOperation, queueOf } from '../lane/queue-records.ts';
import { isResponsibleFor, queuesOf } from '../lane/served-queues.ts';
import { chainSigners } from '../lane/signers.ts';
import { candidatesOf, type QueuedCandidates } from '../operation/candidates.ts';
import { dropOperation } from '../operation/drop-operations.ts';
import type { Change } from '../records.ts';
import type { Services } from '../services.ts';

const maxUnfinished = 100_000;

const pageSize = 96;

/**
 * Queues again the lane's lost commits and reveals: pending in their rows, but in no queue and no transaction. After a
 * restore, some records may be a few writes older than others, so part of a write may be missing. Also makes the sweep
 * check all unfinished attestations of the chain. Operations that another lane sends are left to that lane's resync. An
 * operation is only queued if no lane of the chain changed, because a lane that assigns it a nonce changes in the same
 * write.
 * @returns the chain's lanes with unsettled transactions, which may contain lost operations; then nothing is queued
 * @throws LostRaceError if a lane changed meanwhile
 */
export async function requeueLostOperations(services: LaneServices, state: LaneState): Promise<string[]> {
  const lanes = [state, ...(await otherLanes(services))];
  const unsettled = lanes.filter(({ finalNonce, nextNonce }) => finalNonce < nextNonce);
  if (unsettled.length > 0) return unsettled.map(({ lane }) => lane);
  const unchanged = lanes.map(({ lane, version }) => {
    return { key: laneStateRecord(lane), expect: { version }, set: { version } };
  });
  const ours = queuesOf(services, state).filter((queue) => isResponsibleFor(state, queue));
  const served = new Set(ours.map(queueName));
  const due = await services.records.due('9999', maxUnfinished);
  for (let first = 0; first < due.length; first += pageSize) {
    const keys = due.slice(first, first + pageSize).map(({ pk, sk }) => ({ organizationId: pk, id: sk }));
    const rows = (await findReadable(services, keys)).filter((row) => row?.chainId === services.chainId);
    // Sequential: each expects the lanes' states, and concurrent transactions would conflict.
    for (const row of rows) {
      const kind = row && pendingKind(row);
      if (kind && served.has(queueName(queueOf(row, kind)))) await requeue(services, unchanged, row, kind);
    }
    await Promise.all(rows.map((row) => row && checkSoon(services, row)));
  }
  if (!(await services.records.transact(unchanged))) throw new LostRaceError();
  return [];
}

/** Makes the next sweep start an execution. A restored row's execution has ended. */
async function checkSoon({ records, now }: Services, row: Attestation): Promise<void> {
  await records.update({
    key: attestationRow(row),
    expect: { status: row.status, checkAt: row.checkAt },
    set: checkAtTime(now()),
  });
}

/** Finds the chain's other lanes. One without a record has sent nothing of this lane's queues. */
async function otherLanes(services: LaneServices): Promise<LaneState[]> {
  const { chainId, lane } = services;
  const signers = await chainSigners(services, chainId);
  const others = signers.map(({ address }) => laneName(chainId, address)).filter((name) => name !== lane);
  const states = await Promise.all(others.map((name) => findLaneState(services.records, name)));
  return states.filter((state) => state !== undefined);
}

/** Returns the operation that a row waits for. A mined reveal counts, because no pending transaction can make it final. */
function pendingKind({ commitPhase, revealPhase }: Attestation): OperationKind | undefined {
  if (commitPhase === 'queued') return 'commit';
  return revealPhase === 'queued' || revealPhase === 'mined' ? 'reveal' : undefined;
}

/** Queues an operation again, unless it is queued. */
async function requeue(
  { records, now }: Services,
  unchanged: readonly Change[],
  row: Attestation,
  kind: OperationKind,
): Promise<void> {
  const operation = { ...operationKey(row, kind), queuedAt: now().toISOString() };
  const phase = `${kind}Phase` as const;
  await records.transact([
    { ...putOperation(queueOf(row, kind), operation), ifAbsent: true },
    { key: attestationRow(row), expect: { [phase]: row[phase] }, set: { [phase]: 'queued' } },
    ...unchanged,
  ]);
}

/** Maximum number of operations that an operator's command reads from a queue. A lane never reads as many. */
const maxQueued = 100_000;

/** Ends operations whose content the registry has. A commit would have no effect, and a reveal might fail. */
export async function endAttestedOperations(services: LaneServices, state: LaneState): Promise<void> {
  for (const queue of queuesOf(services, state)) {
    const operations = await listOperations(services, queue, maxQueued);
    const attesting = operations.filter(({ kind }) => kind !== 'link');
    for (let first = 0; first < attesting.length; first += pageSize) {
      const page = attesting.slice(first, first + pageSize);
      await endAttested(services, await candidatesOf(services, state, queue, page));
    }
  }
}

async function endAttested(services: LaneServices, { candidates }: QueuedCandidates) {
  const rows = candidates.map(({ row }) => row);
  const registryStates = await services.laneChain.atFinal((view) => view.registryStates(rows));
  const attested = candidates.filter((_, position) => (registryStates[position]?.attestationIndex ?? 0) > 0);
  for (const candidate of attested) await dropOperation(services, candidate, { kind: 'attested' });
}
