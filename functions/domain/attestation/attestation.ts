import type { Address } from 'viem';
import * as z from 'zod';
import { address, formOf, hex } from '../stored-record.ts';

export const attestationStatuses = ['pending', 'committed', 'confirmed', 'failed'] as const;

export type AttestationStatus = (typeof attestationStatuses)[number];

export const operationKinds = ['commit', 'reveal', 'link'] as const;

export type OperationKind = (typeof operationKinds)[number];

const operationPhases = ['queued', 'mined', 'final', 'unneeded', 'refused'] as const;

/**
 * Phase of an operation; absent before it is queued. `queued` lasts until its transaction is mined, `mined` is provisional.
 * Two end it without a transaction: `unneeded` when the registry holds the content, `refused` when it can never be done.
 */
export type OperationPhase = (typeof operationPhases)[number];

export interface AttestationKey {
  readonly organizationId: string;
  readonly id: string;
}

const batchForm = formOf({
  /** The lane and the nonce of the commit, whose record has the leaves of all members. */
  lane: z.string(),
  nonce: z.number(),
  position: z.number(),
});

export const attestationForm = formOf(
  {
    schema: z.literal(1),
    contentCid: z.string(),
    /** The sha2-256 digest inside the CID; the registry's `ipfsHash`. */
    digest: hex,
    /** The registry's `qvHash`. */
    quoteRoot: hex,
    chainId: z.number(),
    authorityAddress: address,
    /** Registry and delegate are fixed at acceptance, so that a change of settings harms no one in flight. */
    registryAddress: address,
    delegateAddress: address,
    /** Hides what is being committed until the reveal; a secret until then. */
    salt: hex,
    status: z.enum(attestationStatuses),
    error: z.string().nullable(),
    createdAt: z.string(),
    childAttestationId: z.string().nullable(),
    /** Counts the accepted link intents; a settled link counts only when it carried the last one. */
    childSequence: z.number(),
    childLinkTxHash: hex.nullable(),
    /** Executions are named `<id>-<run>`. */
    run: z.number(),
  },
  {
    url: z.string(),
    keyId: z.string(),
    confirmedAt: z.string(),
    /** Time when the authority revoked it on-chain, ISO 8601; kept current whenever its entry is read at a final block. */
    revokedAt: z.string(),
    attestationIndex: z.number(),

    commitPhase: z.enum(operationPhases),
    /** Round in which the operation was queued last; so for `linkRound`. */
    commitRound: z.number(),
    commitTxHash: hex,
    /** Absent if it was committed alone. */
    batch: batchForm,
    /** The commit's block timestamp plus the reveal delay, ISO 8601. */
    revealAt: z.string(),
    revealPhase: z.enum(operationPhases),
    /** Place in the order of its queue of the reveal of a batch's member; any other has a `revealRound`. */
    revealPlace: z.string(),
    revealRound: z.number(),
    revealTxHash: hex,

    linkPhase: z.enum(operationPhases),
    linkRound: z.number(),
    /** The authority's delegate when the link was queued: it may differ from the one when it attested. */
    linkDelegateAddress: address,
    /** Id of the API key that asked for the link last. */
    linkKeyId: z.string(),
    childDigest: hex,
    childLinkError: z.string(),

    /** Time when an operator erased its content, metadata and `url`, ISO 8601. */
    erasedAt: z.string(),
    /** Time when the sweep looks at it next; absent once nothing is owed. */
    checkAt: z.string(),
    /** The sweep's index partition, there as long as `checkAt` is. */
    sweep: z.literal('due'),
    /** The organization while the status is `pending` or `committed`: the partition of the index that counts these. */
    inFlight: z.string(),
  },
);

export type Attestation = AttestationKey & z.output<typeof attestationForm>;

export function delegateOf(
  { delegateAddress, linkDelegateAddress }: Pick<Attestation, 'delegateAddress' | 'linkDelegateAddress'>,
  kind: OperationKind,
): Address {
  return kind === 'link' ? (linkDelegateAddress ?? delegateAddress) : delegateAddress;
}

export function isTerminal({ status }: Pick<Attestation, 'status'>): boolean {
  return status === 'confirmed' || status === 'failed';
}

export function isOnChain(phase: OperationPhase | undefined): boolean {
  return phase === 'mined' || phase === 'final';
}

/** Work on an attestation keeps the sweep away for this long: longer than its task may wait. */
const checkAfterMinutes = 10;

/** Fields of the next check. `sweep` is the index's partition, there as long as `checkAt` is. */
export function nextCheck(at: Date): { readonly checkAt: string; readonly sweep: 'due' } {
  return { checkAt: at.toISOString(), sweep: 'due' };
}

export function checkLater(now: Date): ReturnType<typeof nextCheck> {
  return nextCheck(new Date(now.getTime() + checkAfterMinutes * 60_000));
}

export function isCheckSoon({ checkAt }: Pick<Attestation, 'checkAt'>, now: Date): boolean {
  return checkAt !== undefined && Date.parse(checkAt) - now.getTime() < checkAfterMinutes * 30_000;
}

/** Fields of an attestation to which nothing is owed any more: no sweep looks for it, and it is not in flight. */
export const noCheck = { checkAt: undefined, sweep: undefined, inFlight: undefined } as const;
