import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { type Address, bytesToHex, type Hex } from 'viem';
import type { RandomBytes } from '../services.ts';
import { type Attestation, checkAtTime } from './attestation.ts';
import { quoteRoot } from './quote-root.ts';

/** Seconds after which the sweep checks a new row, because its execution should have started by then. */
const firstCheckSeconds = 60;

export interface ContentIdentity {
  readonly organizationId: string;
  readonly authorityAddress: Address;
  readonly chainId: number;
  readonly digest: Hex;
  readonly contentCid: string;
}

/** Registry and delegate with which to attest accepted content. */
export interface AttestationTarget {
  readonly registryAddress: Address;
  readonly delegateAddress: Address;
  /** The registry's entry at a final block, if it already holds the content. */
  readonly attested?: { readonly attestationIndex: number; readonly confirmedAt: string };
}

export interface NewAttestationInput {
  readonly text: string;
  readonly url?: string | undefined;
  readonly keyId?: string | undefined;
  readonly now: Date;
  readonly random?: RandomBytes | undefined;
}

/** Makes a new row: `pending` with a next check, or `confirmed` if the registry already has the content. */
export function newAttestation(
  identity: ContentIdentity,
  target: AttestationTarget,
  { text, url, keyId, now, random = randomBytes }: NewAttestationInput,
): Attestation {
  const { attested, registryAddress, delegateAddress } = target;
  const firstCheck = new Date(now.getTime() + firstCheckSeconds * 1000);
  const unfinished = {
    status: 'pending',
    inFlight: identity.organizationId,
    ...checkAtTime(firstCheck),
  } as const;
  return {
    schema: 1,
    ...identity,
    registryAddress,
    delegateAddress,
    id: uuidv7({ msecs: now.getTime(), random: random(16) }),
    quoteRoot: quoteRoot(text),
    ...(url === undefined ? {} : { url }),
    ...(keyId === undefined ? {} : { keyId }),
    salt: bytesToHex(random(32)),
    error: null,
    createdAt: now.toISOString(),
    childAttestationId: null,
    childSequence: 0,
    childLinkTxHash: null,
    run: 1,
    ...(attested ? { status: 'confirmed', ...attested } : unfinished),
  };
}
