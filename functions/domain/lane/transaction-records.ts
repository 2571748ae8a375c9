import { type Address, type Hex, size, slice } from 'viem';
import { LostRaceError } from '../errors.ts';
import type { Change, Fields, Key, Records } from '../records.ts';
import type { Services } from '../services.ts';
import { parseOrReport, parseRecord, storedFields } from '../stored-record.ts';
import { type LaneState, type Payload, payloadForm, type Transaction, transactionForm } from './lane.ts';
import type { LaneServices } from './lane-services.ts';

function recordOf(lane: string, kind: 'TX' | 'CALLS', nonce: number): Key {
  return { table: 'lanes', pk: lane, sk: `${kind}#${String(nonce).padStart(12, '0')}` };
}

export function transactionRecord(lane: string, nonce: number): Key {
  return recordOf(lane, 'TX', nonce);
}

export function payloadRecord(lane: string, nonce: number): Key {
  return recordOf(lane, 'CALLS', nonce);
}

/** Days for which final transactions are kept, for operators and for very deep reorgs. */
const keepFinalDays = 30;

function transactionFields({ lane: _, ...transaction }: Transaction): Fields {
  return storedFields(transactionForm, transaction);
}

function parseTransaction(lane: string, fields: Fields): Transaction {
  return { ...parseRecord('transaction', transactionForm, fields), lane };
}

export function newTransaction(services: LaneServices, nonce: number, to: Address, gas: bigint): Transaction {
  const { lane, now } = services;
  const bound = { lane, nonce, to, gasLimit: gas, boundAt: now().toISOString() };
  return { schema: 1, ...bound, attempts: [], state: 'pending', settledCount: 0, version: 1 };
}

export function putTransaction(transaction: Transaction, payload: Payload): Change[] {
  const { lane, nonce } = transaction;
  return [
    { key: transactionRecord(lane, nonce), put: transactionFields(transaction), ifAbsent: true },
    { key: payloadRecord(lane, nonce), put: storedFields(payloadForm, payload), ifAbsent: true },
  ];
}

export type TransactionChange = {
  readonly [Name in Exclude<keyof Transaction, 'version'>]?: Transaction[Name] | undefined;
};

export function changedTransaction(read: Transaction, change: TransactionChange): Transaction {
  return { ...read, ...change, version: read.version + 1 } as Transaction;
}

/** Replaces the transaction's record if it is unchanged since it was read. Its payload expires with it. */
export function changeTransaction(read: Transaction, set: TransactionChange, now: Date): Change[] {
  const changed = changedTransaction(read, set);
  const isFinal = changed.state === 'final';
  const expiresAt = isFinal ? Math.floor(now.getTime() / 1000) + keepFinalDays * 86_400 : undefined;
  const change = {
    key: transactionRecord(read.lane, read.nonce),
    expect: { version: read.version },
    put: { ...transactionFields(changed), expiresAt },
  };
  const payload = { key: payloadRecord(read.lane, read.nonce), set: { expiresAt } };
  return isFinal === (read.state === 'final') ? [change] : [change, payload];
}

/** Changes a transaction. @returns the changed transaction @throws LostRaceError if it changed since it was read */
export async function updateTransaction(
  { records, now }: Pick<Services, 'records' | 'now'>,
  read: Transaction,
  change: TransactionChange,
): Promise<Transaction> {
  const [changed] = changeTransaction(read, change, now());
  if (changed && (await records.update(changed))) return changedTransaction(read, change);
  throw new LostRaceError();
}

/** Lists the lane's transactions from a nonce on, lowest first; by default those that are not final. */
export async function transactionsFrom(
  records: Records,
  { lane, nextNonce, finalNonce }: LaneState,
  nonce = finalNonce,
): Promise<Transaction[]> {
  if (nonce === nextNonce) return [];
  const { table, pk, sk: from } = transactionRecord(lane, nonce);
  const stored = await records.list({ table, pk, from, limit: nextNonce - nonce });
  return stored.map(({ fields }) => parseTransaction(lane, fields));
}

/** Finds the newest transaction with a receipt below a nonce. Nonces without one were lost, or skipped by a resync. */
export async function newestMined(services: LaneServices, below: number): Promise<Transaction | undefined> {
  const { records, lane } = services;
  if (below <= 0) return undefined;
  const { table, pk, sk: before } = transactionRecord(lane, below);
  const [last] = await records.list({ table, pk, before, limit: 1, descending: true });
  if (!last?.key.sk.startsWith('TX#')) return undefined;
  const transaction = parseTransaction(lane, last.fields);
  return transaction.receipt ? transaction : newestMined(services, transaction.nonce);
}

export async function findTransaction(records: Records, lane: string, nonce: number) {
  const fields = await records.get(transactionRecord(lane, nonce));
  return fields && parseTransaction(lane, fields);
}

/** Reads the leaves of the batch that a transaction committed to; none if the record is absent or malformed. */
export async function findLeaves(
  { records, log }: Pick<Services, 'records' | 'log'>,
  { lane, nonce }: Pick<Transaction, 'lane' | 'nonce'>,
): Promise<Hex[]> {
  const fields = await records.get(payloadRecord(lane, nonce));
  const payload = parseOrReport(
    () => fields && parseRecord('payload', payloadForm, fields),
    (error) => log.error('batch unreadable', error, { lane, nonce }),
  );
  const leaves = payload?.leaves ?? '0x';
  return Array.from({ length: size(leaves) / 32 }, (_, i) => slice(leaves, 32 * i, 32 * (i + 1)));
}

/** Reads a payload. @throws Error if there is none: it is written with its transaction and kept as long */
export async function findPayload(records: Records, lane: string, nonce: number): Promise<Payload> {
  const fields = await records.get(payloadRecord(lane, nonce));
  if (!fields) throw new Error(`transaction ${nonce} of lane ${lane} has no payload`);
  return parseRecord('payload', payloadForm, fields);
}
