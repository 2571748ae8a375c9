import { LostRaceError, RefusedError } from '../errors.ts';
import type { LaneState } from '../lane/lane.ts';
import { laneStateRecord, type StateFields } from '../lane/lane-records.ts';
import { type LaneServices, readKeySnapshot } from '../lane/lane-services.ts';
import { payloadRecord, putTransaction, transactionRecord } from '../lane/transaction-records.ts';
import type { Key, Records } from '../records.ts';
import { skippedTransaction } from '../settling/lost-nonce.ts';

/** Maximum nonces that one resync fills: two records each, in one write. */
const maxFilled = 40;

/** @throws RefusedError until a final block shows that the nonce is used */
export async function requireUsed({ laneChain, signerAddress }: LaneServices, nonce: number): Promise<void> {
  if ((await laneChain.atFinal((view) => view.minedCount(signerAddress))) > nonce) return;
  throw new RefusedError(`nonce ${nonce} of the key is not final yet; try again later`);
}

/**
 * Moves the lane's state past its lowest nonces if nothing settles them any more. After a restore, a transaction or its
 * payload may be missing or final, because records may be some writes older or newer than the state. A nonce that is
 * mined in the state, but not in its record, is settled again. Nonces that the chain does not show as used are filled.
 * @throws RefusedError until a final block shows that the other nonces are used, LostRaceError
 */
export async function skipLostNonces(services: LaneServices, state: LaneState): Promise<StateFields> {
  const { records } = services;
  const { lane, finalNonce, minedNonce, nextNonce } = state;
  const unsettled = noncesBetween(finalNonce, nextNonce);
  const transactions = await records.getAll(unsettled.map((nonce) => transactionRecord(lane, nonce)));
  const payloads = await records.getAll(unsettled.map((nonce) => payloadRecord(lane, nonce)));
  const isLost = (index: number) => !transactions[index] || !payloads[index];
  const isSettled = (index: number) => transactions[index]?.state === 'final' || isLost(index);
  const first = unsettled.find((_, index) => !isSettled(index)) ?? nextNonce;
  const firstPending = unsettled.find(
    (nonce, index) => nonce >= first && transactions[index]?.state === 'pending',
  );
  const { minedCount } = await readKeySnapshot(services);
  const lost = unsettled.filter((nonce, index) => nonce >= minedCount && nonce < first && isLost(index));
  const end = first === nextNonce && minedCount <= nextNonce ? await endOfRecords(records, state) : nextNonce;
  const unused = [...lost, ...noncesBetween(nextNonce, end)].slice(0, maxFilled);
  if (unused.length > 0) return fill(services, state, unused);
  const mined = Math.min(Math.max(minedNonce, first), firstPending ?? nextNonce);
  if (first === finalNonce && mined === minedNonce) return {};
  if (first > finalNonce) await requireUsed(services, first - 1);
  return { finalNonce: first, minedNonce: mined };
}

function noncesBetween(from: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index);
}

/** Returns the nonce after the newest record. After a restore, there may be records newer than the state. */
async function endOfRecords(records: Records, { lane, nextNonce }: LaneState): Promise<number> {
  const nonces = await Promise.all(
    [transactionRecord(lane, nextNonce), payloadRecord(lane, nextNonce)].map((lowest) =>
      noncesFrom(records, lowest),
    ),
  );
  return Math.max(nextNonce, ...nonces.flat().map((nonce) => nonce + 1));
}

async function noncesFrom(records: Records, { table, pk, sk: from }: Key): Promise<number[]> {
  const [kind] = from.split('#');
  const stored = await records.list({ table, pk, from, limit: maxFilled });
  return stored.flatMap(({ key: { sk } }) => (sk.startsWith(`${kind}#`) ? [Number(sk.split('#')[1])] : []));
}

/**
 * Fills unmined nonces of lost transactions with empty transfers. The lost transactions' bytes may still be sent
 * somewhere, so only a final transaction shows what was done. Until then, the lane is paused, because it might assign
 * the same operations again.
 */
async function fill(services: LaneServices, state: LaneState, unused: readonly number[]) {
  const { records } = services;
  const { lane, version, finalNonce, nextNonce } = state;
  const [lowest = nextNonce, last = lowest] = [unused[0], unused.at(-1)];
  if (lowest > finalNonce) await requireUsed(services, lowest - 1);
  const unchanged = { key: laneStateRecord(lane), expect: { version }, set: { version } };
  const old = unused.flatMap((nonce) => [transactionRecord(lane, nonce), payloadRecord(lane, nonce)]);
  const removed = await records.transact([...old.map((key) => ({ key, remove: true }) as const), unchanged]);
  const empty = { operations: [], data: '0x' } as const;
  const puts = unused.flatMap((nonce) => putTransaction(skippedTransaction(services, nonce), empty));
  if (!removed || !(await records.transact([...puts, unchanged]))) throw new LostRaceError();
  const paused = `nonces ${lowest} to ${last} are filled by empty transfers; use lane resync when they are final`;
  return { finalNonce: lowest, minedNonce: lowest, nextNonce: Math.max(nextNonce, last + 1), paused };
}
