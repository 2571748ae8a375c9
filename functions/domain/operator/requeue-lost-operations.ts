import { type Attestation, nextCheck, type OperationKind } from '../attestation/attestation.ts';
import { attestationRow, findReadable } from '../attestation/attestation-records.ts';
import { LostRaceError } from '../errors.ts';
import { type LaneState, laneName, queueName } from '../lane/lane.ts';
import { findLaneState, laneStateRecord } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { keyOf, listOperations, putOperation, queueOf } from '../lane/queue-records.ts';
import { isResponsibleFor, queuesOf } from '../lane/served-queues.ts';
import { chainSigners } from '../lane/signers.ts';
import { candidatesOf, type QueuedCandidates } from '../operation/candidates.ts';
import { dropOperation } from '../operation/drop-operations.ts';
import type { Change } from '../records.ts';
import type { Services } from '../services.ts';

/** Limit of unfinished attestations that an operator's command reads. */
const maxUnfinished = 100_000;

/** Attestations that are read at once. */
const pageSize = 96;

/**
 * Queues again the commits and reveals of the lane's queues that are nowhere: owed by their rows, in no queue and in no
 * transaction. Records of one restore may be of moments that are some writes apart, so that of one write a part is there.
 * Has the sweep look at all that is unfinished on the chain. What another lane is to send is for the resync of that one.
 *
 * Each is put back only as long as no lane of the chain changes: one that binds it changes with the same write.
 *
 * @returns the lanes of the chain with open transactions, which may hold them: then nothing is queued again
 * @throws LostRaceError when a lane changed meanwhile
 */
export async function requeueLostOperations(services: LaneServices, state: LaneState): Promise<string[]> {
  const lanes = [state, ...(await otherLanes(services))];
  const open = lanes.filter(({ finalNonce, nextNonce }) => finalNonce < nextNonce);
  if (open.length > 0) return open.map(({ lane }) => lane);
  const unchanged = lanes.map(({ lane, version }) => {
    return { key: laneStateRecord(lane), expect: { version }, set: { version } };
  });
  const own = queuesOf(services, state).filter((queue) => isResponsibleFor(state, queue));
  const served = new Set(own.map(queueName));
  const due = await services.records.due('9999', maxUnfinished);
  for (let first = 0; first < due.length; first += pageSize) {
    const keys = due.slice(first, first + pageSize).map(({ pk, sk }) => ({ organizationId: pk, id: sk }));
    const rows = (await findReadable(services, keys)).filter((row) => row?.chainId === services.chainId);
    // One after the other: each expects the lanes' states, and two at once would conflict.
    for (const row of rows) {
      const kind = row && owedBy(row);
      if (kind && served.has(queueName(queueOf(row, kind)))) await requeue(services, unchanged, row, kind);
    }
    await Promise.all(rows.map((row) => row && checkSoon(services, row)));
  }
  if (!(await services.records.transact(unchanged))) throw new LostRaceError();
  return [];
}

/** Has the next sweep start an execution, in place of one up to ten minutes later: a restored row's has ended. */
async function checkSoon({ records, now }: Services, row: Attestation): Promise<void> {
  await records.update({
    key: attestationRow(row),
    expect: { status: row.status, checkAt: row.checkAt },
    set: nextCheck(now()),
  });
}

/** The chain's other lanes. One that has no record yet sends nothing of this one's queues. */
async function otherLanes(services: LaneServices): Promise<LaneState[]> {
  const { chainId, lane } = services;
  const signers = await chainSigners(services, chainId);
  const others = signers.map(({ address }) => laneName(chainId, address)).filter((one) => one !== lane);
  const states = await Promise.all(others.map((other) => findLaneState(services.records, other)));
  return states.filter((state) => state !== undefined);
}

/** A reveal that is mined is made final by its transaction, and none is open. A commit that is mined needs no more. */
function owedBy({ commitPhase, revealPhase }: Attestation): OperationKind | undefined {
  if (commitPhase === 'queued') return 'commit';
  return revealPhase === 'queued' || revealPhase === 'mined' ? 'reveal' : undefined;
}

/** Does nothing to an operation that is queued. */
async function requeue(
  { records, now }: Services,
  unchanged: readonly Change[],
  row: Attestation,
  kind: OperationKind,
): Promise<void> {
  const operation = { ...keyOf(row, kind), queuedAt: now().toISOString() };
  const phase = `${kind}Phase` as const;
  await records.transact([
    { ...putOperation(queueOf(row, kind), operation), ifAbsent: true },
    { key: attestationRow(row), expect: { [phase]: row[phase] }, set: { [phase]: 'queued' } },
    ...unchanged,
  ]);
}

/** Limit of operations that an operator's command reads of a queue; a lane never reads as many. */
const maxQueued = 100_000;

/**
 * Ends the queued commits and reveals whose content the registry already holds, by transactions that the lane may not know. A commit of
 * revealed content would succeed again to no effect, and a reveal whose key was revoked would be given up.
 */
export async function endAttestedOperations(services: LaneServices, state: LaneState): Promise<void> {
  for (const queue of queuesOf(services, state)) {
    const operations = await listOperations(services, queue, maxQueued);
    const attesting = operations.filter(({ kind }) => kind !== 'link');
    for (let first = 0; first < attesting.length; first += pageSize) {
      const page = attesting.slice(first, first + pageSize);
      await endAll(services, await candidatesOf(services, state, queue, page));
    }
  }
}

async function endAll(services: LaneServices, { candidates }: QueuedCandidates) {
  const rows = candidates.map(({ row }) => row);
  const registryStates = await services.laneChain.atFinal((view) => view.registryStates(rows));
  const attested = candidates.filter((_, position) => (registryStates[position]?.attestationIndex ?? 0) > 0);
  for (const candidate of attested) await dropOperation(services, candidate, { kind: 'attested' });
}
