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

/** The lane's first record, with the chain's nonce at that block; whoever comes second changes nothing. */
export async function openLane(
  records: Records,
  lane: string,
  { nonce, blockNumber }: { nonce: number; blockNumber: number },
): Promise<void> {
  const nonces = { nextNonce: nonce, minedNonce: nonce, finalNonce: nonce };
  const put = { schema: 1, ...nonces, lowestSinceBlock: blockNumber, run: 1, version: 1 };
  await records.update({ key: laneStateRecord(lane), put, ifAbsent: true });
}

/** What a change may set; `undefined` removes a field. */
export type StateFields = {
  readonly [Name in Exclude<keyof LaneState, 'lane' | 'version'>]?: LaneState[Name] | undefined;
};

/** A change of the state that holds only if nobody changed it since it was read. */
export function changeState(state: LaneState, set: StateFields): Change {
  return {
    key: laneStateRecord(state.lane),
    expect: { version: state.version },
    set: { ...set, version: state.version + 1 },
  };
}

/** The state as it is after such a change held, so that it need not be read again. */
export function changedState(state: LaneState, set: StateFields): LaneState {
  return { ...state, ...set, version: state.version + 1 } as LaneState;
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

export async function findTransaction(
  records: Records,
  lane: string,
  nonce: number,
): Promise<Transaction | undefined> {
  const fields = await records.get(transactionRecord(lane, nonce));
  return fields && transactionOf(lane, fields);
}

export function putOperation(lane: string, operation: Operation): Change {
  return { key: queuedOperation(lane, operation), put: { ...operation }, ifAbsent: true };
}

export function takeOperation(lane: string, operation: Operation): Change {
  return { key: queuedOperation(lane, operation), remove: true, expect: { kind: operation.kind } };
}

/** The queue's operations by organisation and age, from the first behind an organisation on, and round again. */
export async function nextOperations(
  records: Records,
  lane: string,
  servedOrganizationId: string,
  limit: number,
): Promise<Operation[]> {
  const range = { table: 'lanes', pk: queuePartition(lane), limit } as const;
  // "~" sorts after every character of an operation's key.
  const from = `${servedOrganizationId}#~`;
  const [later, earlier] = await Promise.all([
    records.list({ ...range, from }),
    records.list({ ...range, before: from }),
  ]);
  return [...later, ...earlier].slice(0, limit).map(({ fields }) => fields as unknown as Operation);
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
