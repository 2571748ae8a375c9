import * as z from 'zod';
import type { Receipt } from '../chain.ts';
import type { Fields } from '../records.ts';
import { address, hex, packedHex, parseRecord, recordForm, storedFields, wei } from '../stored-record.ts';
import type { Attempt, Payload, Transaction } from './lane.ts';
import { operationForm } from './queue-records.ts';

const attemptForm = recordForm<Attempt>(
  {
    maxFeePerGas: wei,
    maxPriorityFeePerGas: wei,
    hash: hex,
    signature: hex,
    sentAt: z.string(),
    signedAtBlock: z.number(),
  },
  { legacy: z.literal(true), cancels: z.literal(true), gasLimit: wei },
);

const receiptForm = recordForm<Receipt>({
  hash: hex,
  succeeded: z.boolean(),
  blockHash: hex,
  blockNumber: z.number(),
  blockTimestamp: z.number(),
  fee: wei,
  failedPositions: z.array(z.number()),
});

/** The transaction as it is stored: its key has the lane. */
const transactionForm = recordForm<Omit<Transaction, 'lane'>>(
  {
    schema: z.literal(1),
    nonce: z.number(),
    to: address,
    gasLimit: wei,
    boundAt: z.string(),
    attempts: z.array(attemptForm),
    state: z.enum(['open', 'mined', 'final']),
    settledCount: z.number(),
    version: z.number(),
  },
  {
    rollupFee: wei,
    receipt: receiptForm,
    finalityAwaited: z.literal(true),
    formerReceipt: receiptForm,
    lostTo: z.enum(['foreign', 'revocation']),
    cancelling: z.literal(true),
  },
);

const payloadForm = recordForm<Payload>({ operations: z.array(operationForm), data: packedHex });

export function transactionFields({ lane: _, ...transaction }: Transaction): Fields {
  return storedFields(transactionForm, transaction);
}

/** Fields of no concern here go with it, because it is written back as a whole. @throws RecordInvalidError */
export function parseTransaction(lane: string, fields: Fields): Transaction {
  return { ...parseRecord('transaction', transactionForm, fields), lane };
}

export const payloadFields = (payload: Payload): Fields => storedFields(payloadForm, payload);

/** @throws RecordInvalidError */
export const parsePayload = (fields: Fields): Payload => parseRecord('payload', payloadForm, fields);
