import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import type { Hex } from 'viem';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { records } from '../stack/aws.ts';
import { publicClient } from '../stack/chain.ts';
import type { Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { saltedHashOf } from './attest-directly.ts';

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
