import * as z from 'zod';
import type { Receipt } from '../chain.ts';
import { address, hex, packedHex, recordForm, wei } from '../stored-record.ts';
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
  { legacy: z.literal(true), cancels: z.literal(true), gasLimit: wei, refused: z.literal(true) },
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
export const transactionForm = recordForm<Omit<Transaction, 'lane'>>(
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

export const payloadForm = recordForm<Payload>(
  { operations: z.array(operationForm), data: packedHex },
  { leaves: packedHex },
);
