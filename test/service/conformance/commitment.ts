import { setTimeout as pause } from 'node:timers/promises';
import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { createTestClient, type Hex, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { records } from '../stack/aws.ts';
import { publicClient, revokeDelegation, withoutBlocks } from '../stack/chain.ts';
import type { Body } from '../stack/http-client.ts';
import type { Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { saltedHashOf } from './attest-directly.ts';
import { untilNoneInFlight } from './work.ts';

const chain = createTestClient({ chain: anvil, mode: 'anvil', transport: http(stack.rpcUrl) });

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

/** Waits until the pool has a transaction with these bytes. Call this while no blocks are mined automatically. */
export async function waitUntilPooled(bytes: Hex): Promise<void> {
  const part = bytes.slice(2).toLowerCase();
  while (!(await pooledInputs()).some((input) => input.includes(part))) await pause(pollMilliseconds);
}

/**
 * Runs work while no blocks are mined, so that a new attestation stays pending. No other attestation is in flight, with
 * which the lane could commit it together.
 */
export async function onStoppedChain<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  await untilNoneInFlight();
  return withoutBlocks(work);
}

/**
 * Mines the commit of an attestation that was created in `onStoppedChain`. The attestation stays committed until the
 * end of that work. @returns the attestation
 */
export async function mineCommit(publisher: Publisher, id: unknown): Promise<Body> {
  await waitUntilPooled(await saltedHashFor(publisher, id));
  await mineBlock();
  return publisher.api.until(id, ({ status }) => status !== 'pending');
}

/** Revokes a delegation during the work of `onStoppedChain`, in a block of its own. */
export async function mineRevocation(authority: PrivateKeyAccount): Promise<void> {
  const revoked = revokeDelegation(authority);
  await waitUntilPooled(authority.address);
  await mineBlock();
  await revoked;
}

async function pooledInputs(): Promise<Hex[]> {
  const { pending } = await chain.getTxpoolContent();
  return Object.values(pending).flatMap((ofSender) => Object.values(ofSender).map(({ input }) => input));
}
