import type { Address } from 'viem';
import * as z from 'zod';
import { address, formOf, hex } from '../stored-record.ts';

export const attestationStatuses = ['pending', 'committed', 'confirmed', 'failed'] as const;

export type AttestationStatus = (typeof attestationStatuses)[number];

export const operationKinds = ['commit', 'reveal', 'link'] as const;

export type OperationKind = (typeof operationKinds)[number];

const operationPhases = ['queued', 'mined', 'final', 'unneeded', 'refused'] as const;

/** Absent before it is queued. `unneeded`: the registry has the content. `refused`: it ended without success. */
export type OperationPhase = (typeof operationPhases)[number];

export interface AttestationKey {
  readonly organizationId: string;
  readonly id: string;
}

const batchForm = formOf({
  /** Lane and nonce of the commit. Its payload has the leaves of all members. */
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
    /** Fixed at acceptance, like the delegate, so that changed settings do not affect pending attestations. */
    registryAddress: address,
    delegateAddress: address,
    /** Secret until the reveal: it hides the committed content. */
    salt: hex,
    status: z.enum(attestationStatuses),
    error: z.string().nullable(),
    createdAt: z.string(),
    childAttestationId: z.string().nullable(),
    /** Number of accepted link intents. A settled link counts only if its call was for the last one. */
    childSequence: z.number(),
    childLinkTxHash: hex.nullable(),
    /** Executions are named `<id>-<run>`. */
    run: z.number(),
  },
  {
    url: z.string(),
    keyId: z.string(),
    confirmedAt: z.string(),
    /** Time at which the authority revoked it on the chain, ISO 8601, as of the last read of its entry. */
    revokedAt: z.string(),
    attestationIndex: z.number(),

    commitPhase: z.enum(operationPhases),
    /** Round in which the commit was last queued. `revealRound` and `linkRound` are those of the other operations. */
    commitRound: z.number(),
    commitTxHash: hex,
    /** Absent if the commit had no other members. */
    batch: batchForm,
    /** The commit's block timestamp plus the reveal delay, ISO 8601. */
    revealAt: z.string(),
    revealPhase: z.enum(operationPhases),
    /** Place of a batch member's reveal in its queue. Other reveals have a `revealRound`. */
    revealPlace: z.string(),
    revealRound: z.number(),
    revealTxHash: hex,

    linkPhase: z.enum(operationPhases),
    linkRound: z.number(),
    /** The authority's delegate when the link was queued. It may differ from `delegateAddress`. */
    linkDelegateAddress: address,
    linkKeyId: z.string(),
    childDigest: hex,
    childLinkError: z.string(),

    /** Time at which an operator erased its content, metadata and `url`, ISO 8601. */
    erasedAt: z.string(),
    /** Time of the sweep's next check; absent when the attestation is confirmed or failed. */
    checkAt: z.string(),
    /** Partition of the sweep's index; set while `checkAt` is set. */
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

/** Minutes until the sweep checks an attestation that is being worked on. A running execution continues. */
const checkAfterMinutes = 10;

export function checkAtTime(time: Date): { readonly checkAt: string; readonly sweep: 'due' } {
  return { checkAt: time.toISOString(), sweep: 'due' };
}

export function checkLater(now: Date): ReturnType<typeof checkAtTime> {
  return checkAtTime(new Date(now.getTime() + checkAfterMinutes * 60_000));
}

export function isCheckSoon({ checkAt }: Pick<Attestation, 'checkAt'>, now: Date): boolean {
  return checkAt !== undefined && Date.parse(checkAt) - now.getTime() < checkAfterMinutes * 30_000;
}

/** Fields of a confirmed or failed attestation: the sweep skips it, and it does not count as in flight. */
export const noCheck = { checkAt: undefined, sweep: undefined, inFlight: undefined } as const;
