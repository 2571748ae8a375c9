import type { Attestation } from './shapes.ts';

type ReferenceParts = Pick<
  Required<Attestation>,
  'chainId' | 'registryAddress' | 'attestationIndex' | 'authorityAddress' | 'contentCid'
>;

/** The reference of a confirmed attestation, in the one line that verifiers take. */
export function referenceOf(attestation: ReferenceParts): string {
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = attestation;
  return `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
}
