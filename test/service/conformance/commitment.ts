import { setTimeout as pause } from 'node:timers/promises';
import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { createTestClient, type Hex, http } from 'viem';
import { anvil } from 'viem/chains';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { records } from '../stack/aws.ts';
import { publicClient } from '../stack/chain.ts';
import type { Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { saltedHashOf } from './attest-directly.ts';

const chain = createTestClient({ chain: anvil, mode: 'anvil', transport: http(stack.rpcUrl) });

/** Default of `maxInFlight`, the maximum number of unmined transactions of a lane. */
const laneCapacity = 4;
const pollMilliseconds = 200;

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

export function mineBlock(): Promise<void> {
  return chain.mine({ blocks: 1 });
}

/**
 * Waits until the pool has a transaction with these bytes. Call this while no blocks are mined automatically. If other
 * transactions fill the lane, this mines a block for them.
 */
export async function waitUntilPooled(bytes: Hex): Promise<void> {
  for (;;) {
    const inputs = await pooledInputs();
    if (inputs.some((input) => input.includes(bytes.slice(2)))) return;
    if (inputs.length >= laneCapacity) await mineBlock();
    await pause(pollMilliseconds);
  }
}

async function pooledInputs(): Promise<Hex[]> {
  const { pending } = await chain.getTxpoolContent();
  return Object.values(pending).flatMap((ofSender) => Object.values(ofSender).map(({ input }) => input));
}
