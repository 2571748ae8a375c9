import { concat, encodeFunctionData, type Hex, keccak256, pad, zeroHash } from 'viem';
import {
  commitFunction,
  revealFunction,
  setChildIpfsHashFunction,
} from '../../../contracts/artifacts/attestation-registry-abi.ts';
import { type Attestation, delegateOf, type OperationKind } from '../attestation/attestation.ts';
import type { Call } from '../chain.ts';

/**
 * Computes the hash that a commit shows: `keccak256(ipfsHash ‖ bytes32(bytes20(sender)) ‖ salt)`, as the registry
 * recomputes it.
 */
export function saltedHash({ digest, delegateAddress, salt }: Attestation): Hex {
  return keccak256(concat([digest, pad(delegateAddress, { size: 32, dir: 'right' }), salt]));
}

const encode: Record<OperationKind, (attestation: Attestation) => Hex> = {
  commit: (attestation) => encodeFunctionData({ abi: [commitFunction], args: [saltedHash(attestation)] }),
  reveal: (attestation) => {
    const { salt, digest, quoteRoot, authorityAddress } = attestation;
    const args = [saltedHash(attestation), salt, digest, quoteRoot, zeroHash, authorityAddress] as const;
    return encodeFunctionData({ abi: [revealFunction], args });
  },
  link: ({ attestationIndex, childDigest }) => {
    const args = [BigInt(attestationIndex ?? 0), childDigest ?? zeroHash] as const;
    return encodeFunctionData({ abi: [setChildIpfsHashFunction], args });
  },
};

/** Encodes the registry call of an operation, from the current fields of its attestation. */
export function registryCall(attestation: Attestation, kind: OperationKind): Call {
  const from = delegateOf(attestation, kind);
  return { from, to: attestation.registryAddress, data: encode[kind](attestation) };
}
