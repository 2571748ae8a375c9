import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, concat, encodeFunctionData, type Hex, keccak256, pad, zeroHash } from 'viem';

/** Encodes the two calls with which an authority attests content itself, without the service. */
export function ownAttestation(authority: Address, digest: Hex, quoteRoot: Hex = zeroHash) {
  const salt = keccak256(digest);
  const saltedHash = keccak256(concat([digest, pad(authority, { size: 32, dir: 'right' }), salt]));
  const args = [saltedHash, salt, digest, quoteRoot, zeroHash, authority] as const;
  return {
    commit: encodeFunctionData({ abi, functionName: 'commit', args: [saltedHash] }),
    reveal: encodeFunctionData({ abi, functionName: 'reveal', args }),
  };
}
