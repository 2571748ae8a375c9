import { type Address, type Client, type Hex, isAddressEqual } from 'viem';
import { digestOfCid, digestOfText } from './content-digest.ts';
import { quoteRootOfText } from './quote-root.ts';
import { type Evidence, type RecordedAttestation, readEvidence } from './read-evidence.ts';

/** A complete reference to an attestation, and its text, if that is at hand. */
export interface AttestationClaim {
  readonly chainId: number;
  readonly registryAddress: Address;
  readonly contentCid: string;
  readonly authorityAddress: Address;
  readonly attestationIndex: number;
  /** The text exactly as attested; without it, nothing is verified of the content behind the CID. */
  readonly text?: string | undefined;
}

/** A statement that must hold, and whether it does. */
export interface Check {
  readonly name: 'chain' | 'registry' | 'content' | 'authority' | 'index' | 'standing' | 'text' | 'quotes';
  readonly passed: boolean;
  /** The statement in words. */
  readonly statement: string;
}

/** Result of `verifyAttestation`. */
export interface Verification {
  /** Whether every check passed. */
  readonly verified: boolean;
  readonly checks: readonly Check[];
  /** Number of the block at which everything was read. */
  readonly blockNumber: bigint;
  /** The registry's entry at the index; `undefined` when there is none. */
  readonly attestation: RecordedAttestation | undefined;
}

function checkPlace(claim: AttestationClaim, evidence: Evidence): Check[] {
  const { chainId, registryAddress } = claim;
  return [
    { name: 'chain', passed: evidence.chainId === chainId, statement: `the chain's id is ${chainId}` },
    { name: 'registry', passed: evidence.hasCode, statement: `there is a contract at ${registryAddress}` },
  ];
}

function checkRecord(claim: AttestationClaim, digest: Hex, evidence: Evidence): Check[] {
  const { contentCid, authorityAddress, attestationIndex } = claim;
  const { attestation, indexOfAuthority } = evidence;
  const isAuthority =
    attestation !== undefined && isAddressEqual(attestation.authorityAddress, authorityAddress);
  const isIndex = indexOfAuthority === BigInt(attestationIndex);
  const subject = `attestation ${attestationIndex}`;
  return [
    { name: 'content', passed: attestation?.digest === digest, statement: `${subject} is of ${contentCid}` },
    { name: 'authority', passed: isAuthority, statement: `${subject} is by ${authorityAddress}` },
    { name: 'index', passed: isIndex, statement: `the registry finds ${subject} by content and authority` },
    { name: 'standing', passed: attestation?.revokedAt === 0n, statement: `${subject} is not revoked` },
  ];
}

function checkText(text: string, digest: Hex, { attestation }: Evidence): Check[] {
  const root = quoteRootOfText(text);
  const hasRoot = root !== undefined && attestation?.quoteRoot === root;
  // A lone surrogate would be hashed as U+FFFD, so an ill-formed text would pass for a well-formed one.
  const hasDigest = text.isWellFormed() && digestOfText(text) === digest;
  return [
    { name: 'text', passed: hasDigest, statement: 'the CID is that of the text' },
    { name: 'quotes', passed: hasRoot, statement: 'the quote root is that of the text' },
  ];
}

/**
 * Verifies an attestation from the chain alone: every claim is checked, whether or not one before it failed.
 * @throws CidUnsupportedError when the CID is not that of an attestation, ChainUnreachableError when nothing can be
 * verified
 */
export async function verifyAttestation(client: Client, claim: AttestationClaim): Promise<Verification> {
  const digest = digestOfCid(claim.contentCid);
  const evidence = await readEvidence(client, { ...claim, digest });
  const checks = [
    ...checkPlace(claim, evidence),
    ...checkRecord(claim, digest, evidence),
    ...(claim.text === undefined ? [] : checkText(claim.text, digest, evidence)),
  ];
  const { blockNumber, attestation } = evidence;
  return { verified: checks.every(({ passed }) => passed), checks, blockNumber, attestation };
}
