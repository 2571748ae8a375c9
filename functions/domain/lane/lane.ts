import { type Address, getAddress } from 'viem';
import * as z from 'zod';
import { operationKinds } from '../attestation/attestation.ts';
import { address, decimals, formOf, hex, packedHex, wei } from '../stored-record.ts';

/** A pending registry call, queued or bound to a transaction. Its identity is (attestation, kind). */
export const operationForm = formOf(
  { organizationId: z.string(), id: z.string(), kind: z.enum(operationKinds), queuedAt: z.string() },
  {
    /** Round in the order of its queue; absent if it has a `place`. */
    round: z.number(),
    /** Place of a reveal before all rounds of its queue, ordered by due time. */
    place: z.string(),
    /** Time since which every attempt found it unready, ISO 8601. */
    unreadySince: z.string(),
    /** Time before which it is not retried, ISO 8601. */
    retryAt: z.string(),
    /** Number of its calls that failed for no lasting reason, except in batches that reverted as a whole. */
    reverts: z.number(),
    /** Maximum size of a batch with this operation, because a larger one reverted as a whole. */
    batchLimit: z.number(),
    // The row's values that the call of a bound link contains.
    ...{ childSequence: z.number(), childAttestationId: z.string().nullable(), attestationIndex: z.number() },
    /** Position by which the registry reports a bound operation as skipped. */
    position: z.number(),
  },
);

export type Operation = z.output<typeof operationForm>;

/** A signed form of a transaction. Attempts of a nonce differ only in fees, or are its cancellation. */
const attemptForm = formOf(
  {
    maxFeePerGas: wei,
    maxPriorityFeePerGas: wei,
    hash: hex,
    /** r, s and v (27 or 28) in 65 bytes. With the calldata and fees, they yield the raw bytes. */
    signature: hex,
    /** Time of the last broadcast, written before it. */
    sentAt: z.string(),
    /** The newest block when it was signed: the start of the wait before a replacement. */
    signedAtBlock: z.number(),
  },
  {
    legacy: z.literal(true),
    /** Set if it is an empty transfer to the signer itself, which uses the nonce without any other effect. */
    cancels: z.literal(true),
    /** Set while no provider has it: at the last broadcast, none accepted it, because of its possible cost. */
    refused: z.literal(true),
    /** Gas limit of a cancellation. Other attempts use the transaction's. */
    gasLimit: wei,
  },
);

export type Attempt = z.output<typeof attemptForm>;

const receiptForm = formOf({
  hash: hex,
  succeeded: z.boolean(),
  blockHash: hex,
  blockNumber: z.number(),
  blockTimestamp: z.number(),
  fee: wei,
  failedPositions: z.array(z.number()),
});

/** A nonce of a lane, bound to one payload permanently. The record's key contains the lane. */
export const transactionForm = formOf(
  {
    schema: z.literal(1),
    nonce: z.number(),
    to: address,
    gasLimit: wei,
    boundAt: z.string(),
    attempts: z.array(attemptForm),
    state: z.enum(['pending', 'mined', 'final']),
    settledCount: z.number(),
    version: z.number(),
  },
  {
    /** Maximum that an OP-stack chain charges for it in addition to gas, in wei. */
    rollupFee: wei,
    receipt: receiptForm,
    /** Set while `mined` if something waits for its finality. Nothing waits for successful commits. */
    finalityAwaited: z.literal(true),
    /** Receipt that was final before a reorg undid it. */
    formerReceipt: receiptForm,
    /** Why it became `final` without a receipt. If it is `pending` again, an empty transfer fills its nonce. */
    lostTo: z.enum(['foreign', 'revocation']),
    /** Set when a cancellation was requested. From then on, only canceling attempts are made. */
    canceling: z.literal(true),
  },
);

export type Transaction = z.output<typeof transactionForm> & { readonly lane: string };

/** A transaction's operations and calldata. They have their own record because they are large and never change. */
export const payloadForm = formOf(
  { operations: z.array(operationForm), data: packedHex },
  {
    /** Concatenated leaves of a batch, if the transaction commits to one. Each operation's leaf is at its position. */
    leaves: packedHex,
  },
);

export type Payload = z.output<typeof payloadForm>;

/** The lane's record. Nonces below `finalNonce` are final, below `minedNonce` mined, below `nextNonce` bound. */
export const stateForm = formOf(
  {
    schema: z.literal(1),
    nextNonce: z.number(),
    minedNonce: z.number(),
    finalNonce: z.number(),
    /** The newest block when the lowest pending nonce became the lowest. */
    lowestSinceBlock: z.number(),
    /** All delegates that the settings have named since the lane began. `registries` has all registries. */
    delegates: z.array(address),
    registries: z.array(address),
    /** Executions are named `<lane>-<run>`. Ending a run raises it. A tick with a higher run takes over. */
    run: z.number(),
    version: z.number(),
  },
  {
    /** Time since which fees are above the chain's cap. */
    cappedSince: z.string(),
    /** Time until which the execution sleeps because nothing can change earlier, ISO 8601. */
    sleepsUntil: z.string(),
    /** Reason why the lane assigns no nonces, if it is paused. */
    paused: z.string(),
    /**
     * Set if the key is being replaced (`draining`) or has leaked (`revoked`). A draining key gets new transactions
     * only for itself, a revoked key none. Pending transactions are still settled and replaced.
     */
    retired: z.enum(['draining', 'revoked']),
    /** Amount that the lane has paid or may have to pay on a day (UTC), in wei. */
    spent: formOf({ day: z.string(), wei: decimals }),
  },
);

export type LaneState = z.output<typeof stateForm> & { readonly lane: string };

export function laneName(chainId: number, signerAddress: Address): string {
  return `${chainId}-${getAddress(signerAddress)}`;
}

export function parseLane(lane: string): { chainId: number; signerAddress: Address } {
  const [chainId, signerAddress] = lane.split('-');
  return { chainId: Number(chainId), signerAddress: getAddress(signerAddress ?? '') };
}

/** The queue of the operations of one delegate on one chain, for any key that sends them. */
export interface Queue {
  readonly chainId: number;
  readonly delegateAddress: Address;
}

/** Returns the queue's name. If a key itself is the delegate, its queue and its lane have the same name. */
export function queueName({ chainId, delegateAddress }: Queue): string {
  return laneName(chainId, delegateAddress);
}
