import { type Attestation, nextCheck, type OperationKind } from '../attestation/attestation.ts';
import { attestationRow, findReadable } from '../attestation/attestation-records.ts';
import type { Chain } from '../chain.ts';
import { type LaneState, laneName, queueName } from '../lane/lane.ts';
import { findLaneState, laneStateRecord } from '../lane/lane-records.ts';
import { keyOf, putOperation, queueOf } from '../lane/queue-records.ts';
import { queuesOf } from '../lane/served-queues.ts';
import { chainSigners } from '../lane/signers.ts';
import type { Services } from '../services.ts';

/** Limit of unfinished attestations that an operator's command reads. */
const maxUnfinished = 100_000;

/** Attestations read at once. */
const pageSize = 96;

/**
 * Queues again the commits and reveals of the lane's queues that are nowhere: owed by their rows, in no queue and in no
 * transaction. Records of one restore may be of moments that are some writes apart, so that of one write a part is there.
 * Has the sweep look at all that is unfinished on the chain.
 *
 * Does nothing while a lane of the chain has an open transaction, which may hold them; this lane has none, and each is put
 * back only if its state has not changed.
 */
export async function requeueLost(services: Services, chain: Chain, state: LaneState): Promise<void> {
  if (await isAnyOpen(services, chain)) return;
  const served = new Set(queuesOf(chain, state).map(queueName));
  const due = await services.records.due('9999', maxUnfinished);
  for (let first = 0; first < due.length; first += pageSize) {
    const keys = due.slice(first, first + pageSize).map(({ pk, sk }) => ({ organizationId: pk, id: sk }));
    const rows = (await findReadable(services, keys)).filter(
      (row) => row?.chainId === chain.settings.chainId,
    );
    // One after the other: each expects the lane's state, and two at once would conflict.
    for (const row of rows) {
      const kind = row && owedBy(row);
      if (kind && served.has(queueName(queueOf(row, kind)))) await requeue(services, state, row, kind);
    }
    await Promise.all(rows.map((row) => row && checkSoon(services, row)));
  }
}

/** Has the next sweep start an execution, in place of one up to ten minutes later: a restored row's has ended. */
async function checkSoon({ records, now }: Services, row: Attestation): Promise<void> {
  await records.update({
    key: attestationRow(row),
    expect: { status: row.status, checkAt: row.checkAt },
    set: nextCheck(now()),
  });
}

async function isAnyOpen(services: Services, { settings }: Chain): Promise<boolean> {
  const signers = await chainSigners(services, settings.chainId);
  const lanes = signers.map(({ address }) => laneName(settings.chainId, address));
  const states = await Promise.all(lanes.map((lane) => findLaneState(services.records, lane)));
  return states.some((one) => one !== undefined && one.finalNonce < one.nextNonce);
}

/** A reveal that is mined is made final by its transaction, and none is open. A commit that is mined needs no more. */
function owedBy({ commitPhase, revealPhase }: Attestation): OperationKind | undefined {
  if (commitPhase === 'queued') return 'commit';
  return revealPhase === 'queued' || revealPhase === 'mined' ? 'reveal' : undefined;
}

/** Does nothing to an operation that is queued. */
async function requeue(
  { records, now }: Services,
  { lane, version }: LaneState,
  row: Attestation,
  kind: OperationKind,
): Promise<void> {
  const operation = { ...keyOf(row, kind), queuedAt: now().toISOString() };
  const phase = `${kind}Phase` as const;
  await records.transact([
    { ...putOperation(queueOf(row, kind), operation), ifAbsent: true },
    { key: attestationRow(row), expect: { [phase]: row[phase] }, set: { [phase]: 'queued' } },
    { key: laneStateRecord(lane), expect: { version }, set: { version } },
  ]);
}
