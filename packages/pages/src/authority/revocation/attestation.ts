import {
  type AttestationReference,
  parseReference,
  ReferenceInvalidError,
  type Verdict,
  verify,
} from 'imprimatur-verifier';
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { Connection } from '../wallet/use-wallet.ts';

/** An attestation that may be revoked, or why it cannot be. */
type Revocable = { readonly verdict: Verdict } | { readonly problem: string };

/** Looks an attestation up through the wallet. */
export async function findAttestation(connection: Connection, line: string): Promise<Revocable> {
  try {
    const reference = parseReference(line.trim());
    if (reference.chainId !== connection.chainId)
      return { problem: `It is on chain ${reference.chainId}. Switch the wallet to that network first.` };
    const { provider, name } = connection.wallet;
    const node = { name, request: (question: never) => provider.request(question) };
    const verdict = await verify(reference, { providers: [node] });
    const stands = verdict.outcome === 'verified' || verdict.outcome === 'superseded';
    return stands ? { verdict } : { problem: verdict.reason };
  } catch (error) {
    if (error instanceof ReferenceInvalidError) return { problem: error.message };
    throw error;
  }
}

const abi = parseAbi([
  'function attestations(uint256 attestationId) view returns (bytes32 ipfsHash, bytes32 qvHash, bytes32 parentIpfsHash, address authority, uint256 timestamp, uint256 revokedAt, bytes32 childIpfsHash)',
]);

/** Whether an attestation is revoked at the newest block of the wallet's node. */
export async function isRevoked(
  { wallet }: Connection,
  { registryAddress, attestationIndex }: AttestationReference,
): Promise<boolean> {
  const functionName = 'attestations';
  const data = encodeFunctionData({ abi, functionName, args: [BigInt(attestationIndex)] });
  const params = [{ to: registryAddress, data }, 'latest'];
  const answer = (await wallet.provider.request({ method: 'eth_call', params })) as Hex;
  const [, , , , , revokedAt] = decodeFunctionResult({ abi, functionName, data: answer });
  return revokedAt !== 0n;
}
