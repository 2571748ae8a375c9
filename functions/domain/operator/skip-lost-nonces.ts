import { LostRaceError, RefusedError } from '../errors.ts';
import type { LaneState } from '../lane/lane.ts';
import { laneStateRecord, type StateFields } from '../lane/lane-records.ts';
import { type LaneServices, readKeySnapshot } from '../lane/lane-services.ts';
import { payloadRecord, putTransaction, transactionRecord } from '../lane/transaction-records.ts';
import type { Key, Records } from '../records.ts';
import { skippedTransaction } from '../settling/lost-nonce.ts';

/** Nonces that one resync has filled at most: two records each, in one write. */
const maxFilled = 40;

/** @throws RefusedError while a final block does not show the nonce used */
export async function requireSpent({ laneChain, signerAddress }: LaneServices, nonce: number): Promise<void> {
  if ((await laneChain.atFinal((view) => view.minedCount(signerAddress))) > nonce) return;
  throw new RefusedError(`the key's newest transaction, nonce ${nonce}, is not final yet; try again then`);
}

/**
 * Passes over the lowest nonces that nothing settles any more, although the state counts them as open: a restore has lost
 * their transactions or payloads, or shows them settled, their records being some writes older or newer than the state.
 * One that the state counts as mined, and whose record does not, is looked at again. Those that the chain does not show
 * used are filled.
 *
 * @throws RefusedError while a final block does not show the others used, LostRaceError
 */
export async function skipLostNonces(services: LaneServices, state: LaneState): Promise<StateFields> {
  const { records } = services;
  const { lane, finalNonce, minedNonce, nextNonce } = state;
  const open = noncesBetween(finalNonce, nextNonce);
  const transactions = await records.getAll(open.map((nonce) => transactionRecord(lane, nonce)));
  const payloads = await records.getAll(open.map((nonce) => payloadRecord(lane, nonce)));
  const isLost = (index: number) => !transactions[index] || !payloads[index];
  const isSettled = (index: number) => transactions[index]?.state === 'final' || isLost(index);
  const first = open.find((_, index) => !isSettled(index)) ?? nextNonce;
  const unseen = open.find((nonce, index) => nonce >= first && transactions[index]?.state === 'open');
  const { minedCount } = await readKeySnapshot(services);
  const lost = open.filter((nonce, index) => nonce >= minedCount && nonce < first && isLost(index));
  const end = first === nextNonce && minedCount <= nextNonce ? await endOfRecords(records, state) : nextNonce;
  const unused = [...lost, ...noncesBetween(nextNonce, end)].slice(0, maxFilled);
  if (unused.length > 0) return fill(services, state, unused);
  const mined = Math.min(Math.max(minedNonce, first), unseen ?? nextNonce);
  if (first === finalNonce && mined === minedNonce) return {};
  if (first > finalNonce) await requireSpent(services, first - 1);
  return { finalNonce: first, minedNonce: mined };
}

function noncesBetween(from: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index);
}

/** The nonce behind the highest of which there is a record, or the lane's next: a restore may have newer ones than the state. */
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
  const found = await records.list({ table, pk, from, limit: maxFilled });
  return found.flatMap(({ key: { sk } }) => (sk.startsWith(`${kind}#`) ? [Number(sk.split('#')[1])] : []));
}

/**
 * Has nonces filled by empty transfers in place of lost transactions that are not mined: their bytes may be somewhere, so only a final
 * one shows what was done. Until then the lane is paused: it might bind what they do.
 */
async function fill(
  services: LaneServices,
  state: LaneState,
  unused: readonly number[],
): Promise<StateFields> {
  const { records } = services;
  const { lane, version, finalNonce, nextNonce } = state;
  const [lowest = nextNonce, last = lowest] = [unused[0], unused.at(-1)];
  if (lowest > finalNonce) await requireSpent(services, lowest - 1);
  const unchanged = { key: laneStateRecord(lane), expect: { version }, set: { version } };
  const left = unused.flatMap((nonce) => [transactionRecord(lane, nonce), payloadRecord(lane, nonce)]);
  const removed = await records.transact([...left.map((key) => ({ key, remove: true }) as const), unchanged]);
  const empty = { operations: [], data: '0x' } as const;
  const puts = unused.flatMap((nonce) => putTransaction(skippedTransaction(services, nonce), empty));
  if (!removed || !(await records.transact([...puts, unchanged]))) throw new LostRaceError();
  const paused = `nonces ${lowest} to ${last} are filled by empty transfers; use lane resync when they are final`;
  return { finalNonce: lowest, minedNonce: lowest, nextNonce: Math.max(nextNonce, last + 1), paused };
}
