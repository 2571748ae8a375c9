import { type Address, getAddress } from 'viem';
import * as z from 'zod';
import { operationKinds } from '../attestation/attestation.ts';
import { address, decimals, formOf, hex, packedHex, wei } from '../stored-record.ts';

/** A registry call owed, waiting in the queue of its delegate or bound. It exists once: its key is (attestation, kind). */
export const operationForm = formOf(
  { organizationId: z.string(), id: z.string(), kind: z.enum(operationKinds), queuedAt: z.string() },
  {
    /** Round in the fair order of its queue; absent if it has a place. */
    round: z.number(),
    /** Place of a reveal before all rounds of its queue, in the order of the commits that have to wait before them. */
    place: z.string(),
    /** Time since which it was found unready at every try, ISO 8601. */
    unreadySince: z.string(),
    /** Time before which it is not tried again, ISO 8601. */
    retryAt: z.string(),
    /** Number of transactions of it alone that reverted for no lasting reason. */
    reverts: z.number(),
    /** Largest number of operations to send it with: a transaction of more reverted as a whole with it inside. */
    batchLimit: z.number(),
    // Of a link inside a transaction what its call is made of, as its attestation's row had it.
    ...{ childSequence: z.number(), childAttestationId: z.string().nullable(), attestationIndex: z.number() },
    /** Inside a transaction: position by which the registry names it if it skips it, that of its leaf in its batch. */
    position: z.number(),
  },
);

export type Operation = z.output<typeof operationForm>;

/** One signed form of a transaction. Attempts of a nonce differ in fees only, or are its recorded cancellation. */
const attemptForm = formOf(
  {
    maxFeePerGas: wei,
    maxPriorityFeePerGas: wei,
    hash: hex,
    /** r, s and yParity in 65 bytes: with calldata and fees it rebuilds the raw bytes. */
    signature: hex,
    /** Time when its bytes last went out, or were about to. */
    sentAt: z.string(),
    /** The newest block when it was signed: replacement counts blocks from here. */
    signedAtBlock: z.number(),
  },
  {
    legacy: z.literal(true),
    /** An empty transfer to the signer itself, which spends the nonce and does nothing. */
    cancels: z.literal(true),
    /** Set while it counts as sent to nobody: when it was sent last, every provider refused it for what it may cost. */
    refused: z.literal(true),
    /** Gas limit of a cancellation; any other attempt has its transaction's. */
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

/** One nonce of a lane, bound to one payload for good, as it is stored: its key has the lane. */
export const transactionForm = formOf(
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
    /** Most that an OP-stack chain takes for it beside gas, in wei. */
    rollupFee: wei,
    /** Receipt that shows where it is mined, while `mined` or `final`. */
    receipt: receiptForm,
    /** Set while `mined` if something waits for it to be final: all but commits that are done. */
    finalityAwaited: z.literal(true),
    /** Receipt from before a reorg undid it although it was final. */
    formerReceipt: receiptForm,
    /**
     * Why it became `final` without a receipt and freed its operations: another program used the nonce, or the forwarder
     * takes nothing from the key any more. `open` again, its nonce was freed and an empty transfer is to fill it.
     */
    lostTo: z.enum(['foreign', 'revocation']),
    /** Set once a cancellation was asked for: from then on only cancelling attempts are made. */
    cancelling: z.literal(true),
  },
);

export type Transaction = z.output<typeof transactionForm> & { readonly lane: string };

/** A transaction's operations and call data. They have a record of their own: they are large and never change. */
export const payloadForm = formOf(
  { operations: z.array(operationForm), data: packedHex },
  {
    /** Leaves of a batch, one after another, if it commits to one: each operation's is at its position. */
    leaves: packedHex,
  },
);

export type Payload = z.output<typeof payloadForm>;

/** The lane's own record. Nonces below `finalNonce` are final, below `minedNonce` mined, below `nextNonce` bound. */
export const stateForm = formOf(
  {
    schema: z.literal(1),
    nextNonce: z.number(),
    minedNonce: z.number(),
    finalNonce: z.number(),
    /** The newest block when the lowest open nonce became the lowest. */
    lowestSinceBlock: z.number(),
    /** Delegates that the settings named while the lane ran: they may name others by now; so for `registries`. */
    delegates: z.array(address),
    registries: z.array(address),
    /** Executions are named `<lane>-<run>`. Ending a run raises it; a tick of a higher run takes over. */
    run: z.number(),
    version: z.number(),
  },
  {
    /** Time from which fees are above the chain's cap, if they are. */
    cappedSince: z.string(),
    /** Time until which the execution sleeps, because nothing of the lane can change before, ISO 8601. */
    sleepsUntil: z.string(),
    /** Reason why nothing may be bound, if so. */
    paused: z.string(),
    /** Set when the key is being replaced (`draining`) or has leaked (`revoked`): nothing is bound any more. */
    retired: z.enum(['draining', 'revoked']),
    /** Amount that the lane paid or may have to pay on a day (UTC), in wei. */
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

/** The queue of all that is to be sent as one delegate on one chain, whichever key is to send it. */
export interface Queue {
  readonly chainId: number;
  readonly delegateAddress: Address;
}

/** The queue's name: with the key itself as delegate, the same as its lane's. */
export function queueName({ chainId, delegateAddress }: Queue): string {
  return laneName(chainId, delegateAddress);
}
