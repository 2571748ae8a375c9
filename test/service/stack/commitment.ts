import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, concat, type Hex, keccak256, pad } from 'viem';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { records } from './aws.ts';
import { publicClient } from './chain.ts';
import type { Publisher } from './publisher.ts';
import { stack } from './running-stack.ts';

/** Hash that a sender commits to, as the registry recomputes it at the reveal. */
export function saltedHashOf(digest: Hex, sender: Address, salt: Hex): Hex {
  return keccak256(concat([digest, pad(sender, { size: 32, dir: 'right' }), salt]));
}

/** Hash that the signing key commits to for the attestation. @throws Error if the publisher has none with this id */
export async function saltedHashFor({ organizationId }: Publisher, id: unknown): Promise<Hex> {
  const row = await findAttestation(records, { organizationId, id: String(id) });
  if (!row) throw new Error(`no attestation ${id}`);
  return saltedHashOf(row.digest, stack.signerAddress, row.salt);
}

/** Whether the registry ever accepted the commit. This reads events, because no view shows commits. */
export async function isCommitted(saltedHash: Hex): Promise<boolean> {
  const registry = { abi, address: stack.registryAddress } as const;
  const events = await publicClient.getContractEvents({ ...registry, eventName: 'Committed', fromBlock: 0n });
  return events.some(({ args }) => args.saltedHash === saltedHash);
}
