import { bytesToHex } from 'viem';
import type { Receipt } from '../chain.ts';
import type { Fields, Value } from '../records.ts';
import {
  isAddress,
  isBytes,
  isFlag,
  isHex,
  isList,
  isMap,
  isNumber,
  isText,
  isWei,
  parseRecord,
  type RecordForm,
} from '../stored-record.ts';
import type { Attempt, Payload, Transaction } from './lane.ts';
import { parseOperation } from './queue-records.ts';

/** Form in which a type is stored: amounts in wei as decimal strings, for a number holds only 53 bits of them. */
type InDecimals<T> = {
  readonly [N in keyof T]: Exclude<T[N], undefined> extends bigint ? string : T[N];
};

type StoredTransaction = InDecimals<
  Omit<Transaction, 'lane' | 'attempts' | 'receipt' | 'formerReceipt'> & {
    readonly attempts: readonly Value[];
    readonly receipt?: Fields;
    readonly formerReceipt?: Fields;
  }
>;

const transactionForm: RecordForm<StoredTransaction> = {
  kind: 'transaction',
  required: {
    schema: 1,
    nonce: isNumber,
    to: isAddress,
    gasLimit: isWei,
    boundAt: isText,
    attempts: isList,
    state: ['open', 'mined', 'final'],
    settledCount: isNumber,
    version: isNumber,
  },
  optional: {
    rollupFee: isWei,
    receipt: isMap,
    finalityAwaited: true,
    formerReceipt: isMap,
    lostTo: ['foreign', 'revocation'],
    cancelling: true,
  },
};

const attemptForm: RecordForm<InDecimals<Attempt>> = {
  kind: 'attempt',
  required: {
    maxFeePerGas: isWei,
    maxPriorityFeePerGas: isWei,
    hash: isHex,
    signature: isHex,
    sentAt: isText,
    signedAtBlock: isNumber,
  },
  optional: { legacy: true, cancels: true, gasLimit: isWei },
};

const receiptForm: RecordForm<InDecimals<Receipt>> = {
  kind: 'receipt',
  required: {
    hash: isHex,
    succeeded: isFlag,
    blockHash: isHex,
    blockNumber: isNumber,
    blockTimestamp: isNumber,
    fee: isWei,
    failedPositions: (value) => isList(value) && value.every(isNumber),
  },
  optional: {},
};

const payloadForm: RecordForm<{ readonly operations: readonly Value[]; readonly data: Uint8Array }> = {
  kind: 'payload',
  required: { operations: isList, data: isBytes },
  optional: {},
};

function inDecimals<Given extends object>(given: Given): InDecimals<Given> {
  const entries = Object.entries(given).map(([name, one]) => [
    name,
    typeof one === 'bigint' ? String(one) : one,
  ]);
  return Object.fromEntries(entries) as InDecimals<Given>;
}

/** Converts a transaction to what is stored of it; the key has its lane. */
export function transactionFields({
  lane: _,
  attempts,
  receipt,
  formerReceipt,
  ...rest
}: Transaction): Fields {
  return {
    ...inDecimals(rest),
    attempts: attempts.map(inDecimals),
    receipt: receipt && inDecimals(receipt),
    formerReceipt: formerReceipt && inDecimals(formerReceipt),
  };
}

/**
 * Parses a stored transaction. Fields of no concern here go with it, because it is written back as a whole.
 *
 * @throws RecordInvalidError
 */
export function parseTransaction(lane: string, fields: Fields): Transaction {
  const { receipt, formerReceipt, rollupFee, ...rest } = parseRecord(transactionForm, fields);
  return {
    ...rest,
    ...(rollupFee === undefined ? {} : { rollupFee: BigInt(rollupFee) }),
    ...{ lane, attempts: rest.attempts.map(parseAttempt), gasLimit: BigInt(rest.gasLimit) },
    ...(receipt ? { receipt: parseReceipt(receipt) } : {}),
    ...(formerReceipt ? { formerReceipt: parseReceipt(formerReceipt) } : {}),
  };
}

function parseAttempt(stored: Value): Attempt {
  const { gasLimit, ...attempt } = parseRecord(attemptForm, stored);
  return {
    ...attempt,
    ...(gasLimit === undefined ? {} : { gasLimit: BigInt(gasLimit) }),
    maxFeePerGas: BigInt(attempt.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(attempt.maxPriorityFeePerGas),
  };
}

function parseReceipt(fields: Fields): Receipt {
  const receipt = parseRecord(receiptForm, fields);
  return { ...receipt, fee: BigInt(receipt.fee) };
}

/** Parses a stored payload. @throws RecordInvalidError */
export function parsePayload(fields: Fields): Payload {
  const { operations, data } = parseRecord(payloadForm, fields);
  return { operations: operations.map(parseOperation), data: bytesToHex(data) };
}
