import { type Address, keccak256, toHex } from 'viem';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { newAttestation } from '../../../functions/domain/attestation/new-attestation.ts';

export interface GasCase {
  readonly chainId: number;
  readonly registryAddress: Address;
  readonly delegateAddress: Address;
  readonly authorityAddress: Address;
  readonly text: string;
}

/** Makes an attestation as the service does, except that its salt follows from the case alone. */
export function gasAttestation({ text, chainId, authorityAddress, ...terms }: GasCase): Attestation {
  const digest = contentDigest(parseContent(text));
  const identity = { organizationId: '', authorityAddress, chainId, digest, contentCid: contentCid(digest) };
  const row = newAttestation(identity, terms, { text, now: new Date(0) });
  return { ...row, salt: keccak256(toHex(`${authorityAddress} ${text}`)) };
}
