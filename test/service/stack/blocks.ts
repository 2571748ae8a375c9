import { setTimeout as pause } from 'node:timers/promises';
import { createTestClient, type Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { anvilChain, anvilTransport } from '../../fakes/rpc/anvil.ts';
import { records } from './aws.ts';
import { mined, sendRevocation } from './chain.ts';
import { saltedHashFor } from './commitment.ts';
import type { Body } from './http-client.ts';
import type { Publisher } from './publisher.ts';
import { stack } from './running-stack.ts';

/** The chain as `startStack` starts it. */
const blockTimeSeconds = 1;

/** Limit for work without blocks, with the wait before. It is shorter than that of a test: no later test may lack blocks. */
const maxMilliseconds = 200_000;
const pollMilliseconds = 200;

const chain = createTestClient({
  chain: anvilChain,
  mode: 'anvil',
  transport: anvilTransport(stack.rpcUrl),
});

/** Waits until all attestations are confirmed or failed, also those whose execution only the sweep starts. */
async function untilNoneInFlight(): Promise<void> {
  while ((await records.due('9999', 1)).length > 0) await pause(pollMilliseconds);
}

/**
 * Stops mining during the work, so that its transactions stay unmined. Waits for other attestations first, because the
 * lane could commit them together with those of the work.
 */
export async function withoutBlocks<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  const limit = pause(maxMilliseconds, undefined, { ref: false }).then(() => {
    throw new Error(`the work without blocks did not end in ${maxMilliseconds / 1000} s`);
  });
  await Promise.race([untilNoneInFlight(), limit]);
  await chain.setIntervalMining({ interval: 0 });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    await chain.setIntervalMining({ interval: blockTimeSeconds });
  }
}

function mineBlock(): Promise<void> {
  return chain.mine({ blocks: 1 });
}

async function isPooled(bytes: Hex): Promise<boolean> {
  const { pending } = await chain.getTxpoolContent();
  const transactions = Object.values(pending).flatMap((ofSender) => Object.values(ofSender));
  return transactions.some(({ input }) => input.includes(bytes.slice(2)));
}

/** Waits in `withoutBlocks` until the pool has a transaction with these bytes. */
export async function waitUntilPooled(bytes: Hex): Promise<void> {
  while (!(await isPooled(bytes))) await pause(pollMilliseconds);
}

/**
 * Mines the attestation's commit in `withoutBlocks`, and waits until the attestation is no longer pending. It stays
 * committed until the next block, because its reveal is only sent after the reveal delay in the chain's time.
 */
export async function mineUntilCommitted(publisher: Publisher, id: unknown): Promise<Body> {
  const saltedHash = await saltedHashFor(publisher, id);
  for (;;) {
    const { body } = await publisher.api.get(id);
    if (body.status !== 'pending') return body;
    if (await isPooled(saltedHash)) await mineBlock();
    await pause(pollMilliseconds);
  }
}

/** Mines the revocation of a delegation in `withoutBlocks`. */
export async function mineRevocation(authority: PrivateKeyAccount): Promise<void> {
  const hash = await sendRevocation(authority);
  await mineBlock();
  await mined(hash);
}
