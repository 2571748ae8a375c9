import type { Address } from '../hex.ts';
import { excerpt, parseAddress, parseCid, parsePositive, ReferenceInvalidError } from './reference-parts.ts';

/** A complete reference to an attestation. */
export interface AttestationReference {
  readonly chainId: number;
  readonly registryAddress: Address;
  /** Index of the attestation in the registry, from 1. */
  readonly attestationIndex: number;
  readonly authorityAddress: Address;
  /** CIDv1 of the content, codec raw, sha2-256. */
  readonly contentCid: string;
}

const referenceForm = 'eip155:<chainId>:<registryAddress>/<attestationIndex>/<authorityAddress>/<contentCid>';

function fail(problem: string): never {
  throw new ReferenceInvalidError(`${problem}; a reference is ${referenceForm}`);
}

function split(
  text: string,
): [chain: string, registry: string, index: string, authority: string, cid: string] {
  const reference = text.trim();
  if (reference === '') fail('the reference is empty');
  const [account = '', index, authority, cid, ...more] = reference.split('/');
  const [namespace, chain, registry, ...others] = account.split(':');
  if (namespace !== 'eip155') fail(`the reference must begin with "eip155:", not ${excerpt(reference)}`);
  if (chain === undefined || registry === undefined || others.length > 0)
    fail(`the reference must have a chain ID and a registry before its first "/", not ${excerpt(account)}`);
  if (index === undefined) fail("the attestation's index is missing");
  if (authority === undefined) fail("the authority's address is missing");
  if (cid === undefined) fail("the content's CID is missing");
  if (more.length > 0) fail(`unexpected text after the CID: ${excerpt(more.join('/'))}`);
  return [chain, registry, index, authority, cid];
}

/** Parses a reference in one line; adds checksums to addresses, and converts the CID to base32. @throws ReferenceInvalidError */
export function parseReference(text: string): AttestationReference {
  const [chain, registry, index, authority, cid] = split(text);
  return {
    chainId: parsePositive('the chain ID', chain),
    registryAddress: parseAddress('the registry', registry),
    attestationIndex: parsePositive('the index', index),
    authorityAddress: parseAddress('the authority', authority),
    contentCid: parseCid('the CID', cid),
  };
}

/** Parses a reference in one line, or normalizes one in parts. @throws ReferenceInvalidError */
export const asReference = (reference: AttestationReference | string): AttestationReference =>
  typeof reference === 'string' ? parseReference(reference) : normalizeReference(reference);

/** Normalizes a reference, and formats it in one line. @throws ReferenceInvalidError */
export function formatReference(reference: AttestationReference): string {
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } =
    normalizeReference(reference);
  return `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
}

/** Checks and normalizes the parts of a reference. @throws ReferenceInvalidError */
export function normalizeReference(reference: AttestationReference): AttestationReference {
  return {
    chainId: parsePositive('the chain ID', String(reference.chainId)),
    registryAddress: parseAddress('the registry', reference.registryAddress),
    attestationIndex: parsePositive('the index', String(reference.attestationIndex)),
    authorityAddress: parseAddress('the authority', reference.authorityAddress),
    contentCid: parseCid('the CID', reference.contentCid),
  };
}
