import { parseAbi } from 'viem';

/** Views of the public interface that a verification reads, written out here so that it depends on no build of ours. */
export const registryAbi = parseAbi([
  'function attestations(uint256 attestationId) view returns (bytes32 ipfsHash, bytes32 qvHash, bytes32 parentIpfsHash, address authority, uint256 timestamp, uint256 revokedAt, bytes32 childIpfsHash)',
  'function cidAndAddressToAttestationIndices(bytes32 ipfsHash, address authority) view returns (uint256)',
]);
