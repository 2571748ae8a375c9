import { bytesToHex, type Hex, hexToBytes } from 'viem';
import { laneStateRecord, queuedOperation, queuePartition, transactionRecord } from './keys.ts';
import type { Attempt, LaneState, Operation, Transaction } from './lane.ts';
import type { Change, Fields, Records } from './records.ts';

/** Finals are kept this long, for operators. */
const keepFinalDays = 30;

export async function findLaneState(records: Records, lane: string): Promise<LaneState | undefined> {
  const fields = await records.get(laneStateRecord(lane));
  return fields && ({ ...fields, lane } as unknown as LaneState);
}

/** The lane's first record, its nonce the chain's; whoever comes second changes nothing. */
export async function openLane(
  records: Records,
  lane: string,
  { nonce, now }: { nonce: number; now: Date },
): Promise<void> {
  const put = {
    nextNonce: nonce,
    minedNonce: nonce,
    finalNonce: nonce,
    lowestSince: now.toISOString(),
    run: 1,
    version: 1,
  };
  await records.update({ key: laneStateRecord(lane), put, ifAbsent: true });
}

/** A change of the state that holds only if nobody changed it since it was read. */
export function changeState(state: LaneState, set: Partial<LaneState>): Change {
  return {
    key: laneStateRecord(state.lane),
    expect: { version: state.version },
    set: { ...set, version: state.version + 1 },
  };
}

export function putTransaction(transaction: Transaction): Change {
  const key = transactionRecord(transaction.lane, transaction.nonce);
  return { key, put: transactionFields(transaction), ifAbsent: true };
}

/** Replaces the transaction's record if nobody changed it since it was read. */
export function changeTransaction(read: Transaction, change: Partial<Transaction>, now: Date): Change {
  const changed = { ...read, ...change, version: read.version + 1 };
  const expiresAt = Math.floor(now.getTime() / 1000) + keepFinalDays * 86_400;
  return {
    key: transactionRecord(read.lane, read.nonce),
    expect: { version: read.version },
    put: { ...transactionFields(changed), ...(changed.state === 'final' ? { expiresAt } : {}) },
  };
}

/** The transactions that are not final yet, lowest nonce first. */
export async function unsettledTransactions(records: Records, state: LaneState): Promise<Transaction[]> {
  if (state.finalNonce === state.nextNonce) return [];
  const { table, pk, sk: from } = transactionRecord(state.lane, state.finalNonce);
  const stored = await records.list({ table, pk, from, limit: state.nextNonce - state.finalNonce });
  return stored.map(({ fields }) => transactionOf(state.lane, fields));
}

export function putOperation(lane: string, operation: Operation): Change {
  return { key: queuedOperation(lane, operation), put: { ...operation }, ifAbsent: true };
}

export function takeOperation(lane: string, operation: Operation): Change {
  return { key: queuedOperation(lane, operation), remove: true, expect: { kind: operation.kind } };
}

/**
 * The next operations in turn: the oldest of the organisation after the one served last comes first, so that one
 * organisation with thousands waiting holds up no other.
 */
export async function nextOperations(
  records: Records,
  state: LaneState,
  limit: number,
): Promise<Operation[]> {
  const range = { table: 'lanes', pk: queuePartition(state.lane) } as const;
  // "~" sorts after every character of an operation's key.
  const from = `${state.lastOrganizationId ?? ''}#~`;
  const later = await records.list({ ...range, from, limit });
  const room = limit - later.length;
  const earlier = room > 0 ? await records.list({ ...range, before: from, limit: room }) : [];
  return [...later, ...earlier].map(({ fields }) => fields as unknown as Operation);
}

/** Whether any operation waits to be bound. */
export async function hasQueue(records: Records, lane: string): Promise<boolean> {
  return (await records.list({ table: 'lanes', pk: queuePartition(lane), limit: 1 })).length > 0;
}

function transactionFields({ lane: _, data, gasLimit, attempts, ...rest }: Transaction): Fields {
  const stored = attempts.map(({ maxFeePerGas, maxPriorityFeePerGas, ...attempt }) => ({
    ...attempt,
    maxFeePerGas: String(maxFeePerGas),
    maxPriorityFeePerGas: String(maxPriorityFeePerGas),
  }));
  const operations = rest.operations.map((operation) => ({ ...operation }));
  return { ...rest, operations, attempts: stored, data: hexToBytes(data), gasLimit: String(gasLimit) };
}

function transactionOf(lane: string, fields: Fields): Transaction {
  const attempts = (fields.attempts as readonly Fields[]).map((attempt) => ({
    ...(attempt as unknown as Attempt),
    maxFeePerGas: BigInt(String(attempt.maxFeePerGas)),
    maxPriorityFeePerGas: BigInt(String(attempt.maxPriorityFeePerGas)),
  }));
  const data: Hex = bytesToHex(fields.data as Uint8Array);
  const transaction = { ...fields, lane, data, attempts, gasLimit: BigInt(String(fields.gasLimit)) };
  return transaction as unknown as Transaction;
}
