import { type Address, getAddress, type Hex } from 'viem';
import type { Attestation, AttestationKey, OperationKind } from '../attestation/attestation.ts';
import type { Fees, Receipt } from '../chain.ts';

/** A registry call owed, waiting in the queue of its delegate. It exists once: its key is (attestation, kind). */
export interface Operation extends AttestationKey {
  readonly kind: OperationKind;
  readonly queuedAt: string;
  /** Round in the fair order of its queue; absent, and then first, if an earlier version queued it. */
  readonly round?: number;
  /** Place of a reveal before all rounds of its queue, in the order of the commits that have to wait before them. */
  readonly place?: string;
  /** Time since which it was found unready at every try, ISO 8601. */
  readonly unreadySince?: string;
  /** Time before which it is not tried again, ISO 8601. */
  readonly retryAt?: string;
  /** Number of transactions of it alone that reverted for no lasting reason. */
  readonly reverts?: number;
  /** Largest number of operations to send it with: a transaction of more reverted as a whole with it inside. */
  readonly batchLimit?: number;
}

/** An operation inside a transaction; a link with what its call is made of, as its attestation's row had it. */
export interface BoundOperation
  extends Operation,
    Partial<Pick<Attestation, 'childSequence' | 'childAttestationId' | 'attestationIndex'>> {
  /** Position by which the registry names it if it skips it: that of its leaf in its batch. */
  readonly position?: number;
}

/** One signed form of a transaction. Attempts of a nonce differ in fees only, or are its recorded cancellation. */
export interface Attempt extends Fees {
  readonly hash: Hex;
  /** r, s and yParity in 65 bytes: with calldata and fees it rebuilds the raw bytes. */
  readonly signature: Hex;
  /** Time when its bytes last went out, or were about to. */
  readonly sentAt: string;
  /** The newest block when it was signed: replacement counts blocks from here. */
  readonly signedAtBlock: number;
  /** An empty transfer to the signer itself, which spends the nonce and does nothing. */
  readonly cancels?: true;
  /** Set while it counts as sent to nobody: when it was sent last, every provider refused it for what it may cost. */
  readonly refused?: true;
  /** Gas limit of a cancellation; any other attempt has its transaction's. */
  readonly gasLimit?: bigint;
}

/** One nonce of a lane, bound to one payload for good. */
export interface Transaction {
  readonly schema: 1;
  readonly lane: string;
  readonly nonce: number;
  readonly to: Address;
  readonly gasLimit: bigint;
  /** Most that an OP-stack chain takes for it beside gas, in wei. */
  readonly rollupFee?: bigint;
  readonly boundAt: string;
  readonly attempts: readonly Attempt[];
  readonly state: 'open' | 'mined' | 'final';
  /** Receipt that shows where it is mined, while `mined` or `final`. */
  readonly receipt?: Receipt;
  /** Set while `mined` if something waits for it to be final: all but commits that are done. */
  readonly finalityAwaited?: true;
  /** Receipt from before a reorganisation undid it although it was final. */
  readonly formerReceipt?: Receipt;
  /**
   * Reason why it became `final` without a receipt and freed its operations: a foreign transaction used the nonce, or
   * the forwarder takes nothing from the key any more. When it is `open` again, a reorganisation has freed the nonce, and
   * an empty transfer is to fill it.
   */
  readonly lostTo?: 'foreign' | 'revocation';
  /** Set once a cancellation was asked for: from then on only cancelling attempts are made. */
  readonly cancelling?: true;
  /** Number of operations recorded already, of a settlement that takes more than one write. */
  readonly settledCount: number;
  readonly version: number;
}

/** A transaction's operations and call data. They have a record of their own: they are large and never change. */
export interface Payload {
  readonly operations: readonly BoundOperation[];
  readonly data: Hex;
  /** Leaves of a batch, one after another, if it commits to one: each operation's is at its position. */
  readonly leaves?: Hex;
}

/** The lane's own record. Nonces below `finalNonce` are final, below `minedNonce` mined, below `nextNonce` bound. */
export interface LaneState {
  readonly lane: string;
  readonly nextNonce: number;
  readonly minedNonce: number;
  readonly finalNonce: number;
  /** The newest block when the lowest open nonce became the lowest. */
  readonly lowestSinceBlock: number;
  /** Time from which fees are above the chain's cap, if they are. */
  readonly cappedSince?: string;
  /** Reason why nothing may be bound, if so. */
  readonly paused?: string;
  /** Set when the key is being replaced (`draining`) or has leaked (`revoked`): nothing is bound any more. */
  readonly retired?: 'draining' | 'revoked';
  /** Delegates that the settings named while the lane ran: they may name others by now. */
  readonly delegates?: readonly Address[];
  /**
   * Set when no execution runs any more that calls a version of its own of the function, and not the one deployed last:
   * for 500 ticks it would know neither batches nor settings that changed.
   */
  readonly callsLatest?: true;
  /** Registries that the settings named while the lane ran. */
  readonly registries?: readonly Address[];
  /** Amount that the lane paid or may have to pay on a day (UTC), in wei. */
  readonly spent?: { readonly day: string; readonly wei: string };
  /**
   * Executions are named `<lane>-<run>`. A run that ends raises it; a tick of a higher run takes over, and one of a lower
   * run ends.
   */
  readonly run: number;
  /** Time until which the execution sleeps, because nothing of the lane can change before, ISO 8601. */
  readonly sleepsUntil?: string;
  readonly version: number;
}

/** The lane of one signing key on one chain. */
export function laneName(chainId: number, signerAddress: Address): string {
  return `${chainId}-${getAddress(signerAddress)}`;
}

/** The two parts of a lane's name. */
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
