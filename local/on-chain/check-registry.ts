import type { Address, Hex } from 'viem';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import type { LaneCheck } from './check-lane.ts';
import type { ReadingClient } from './lane-history.ts';
import { runConcurrently } from './run-concurrently.ts';

/** A content, and the index under which the service reports it as attested. */
export interface ExpectedEntry {
  readonly digest: Hex;
  readonly attestationIndex: number | undefined;
}

/** Compares the service's answers with the registry's own views. */
export async function checkRegistry(
  client: ReadingClient,
  registry: { address: Address; authorityAddress: Address },
  entries: readonly ExpectedEntry[],
): Promise<LaneCheck> {
  const { address, authorityAddress } = registry;
  const contradictions = await runConcurrently(entries, 16, async ({ digest, attestationIndex }) => {
    const index = await client.readContract({
      ...{ abi, address, functionName: 'cidAndAddressToAttestationIndices' },
      args: [digest, authorityAddress],
    });
    const found = await client.readContract({ abi, address, functionName: 'attestations', args: [index] });
    const [ipfsHash, , , authority, , revokedAt] = found;
    const right = index > 0n && Number(index) === attestationIndex && ipfsHash === digest;
    return right && authority === authorityAddress && revokedAt === 0n ? undefined : digest;
  });
  const wrong = contradictions.filter((digest) => digest !== undefined);
  return {
    statement: 'the registry holds each content under the index that the service gives',
    passed: wrong.length === 0,
    detail: wrong.length === 0 ? `${entries.length} contents` : wrong.slice(0, 5).join(', '),
  };
}
