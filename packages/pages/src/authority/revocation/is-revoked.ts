import type { AttestationReference } from 'imprimatur-verifier';
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { WalletProvider } from '../wallet/provider.ts';

const abi = parseAbi([
  'function attestations(uint256 attestationId) view returns (bytes32 ipfsHash, bytes32 qvHash, bytes32 parentIpfsHash, address authority, uint256 timestamp, uint256 revokedAt, bytes32 childIpfsHash)',
]);

/** Whether an attestation is revoked at the newest block of the wallet's node. */
export async function isRevoked(
  provider: WalletProvider,
  { registryAddress, attestationIndex }: AttestationReference,
): Promise<boolean> {
  const functionName = 'attestations';
  const data = encodeFunctionData({ abi, functionName, args: [BigInt(attestationIndex)] });
  const params = [{ to: registryAddress, data }, 'latest'];
  const answer = (await provider.request({ method: 'eth_call', params })) as Hex;
  const [, , , , , revokedAt] = decodeFunctionResult({ abi, functionName, data: answer });
  return revokedAt !== 0n;
}
