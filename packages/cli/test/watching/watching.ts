import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { attest, draft, hash } from '../../../../contracts/test/chain/attest.ts';
import { author, type RegistryFixture, startRegistry } from '../../../../contracts/test/chain/registry.ts';
import { directoryWith } from '../run.ts';

export const chainId = 31_337;

export let registry: RegistryFixture;

/** Gives each test a chain of its own, on which final is what is two blocks deep. */
export function useRegistry(): void {
  beforeEach(async () => {
    registry = await startRegistry(['--slots-in-an-epoch', '1']);
  });
  afterEach(() => registry.stop());
}

export const mine = (blocks: number) => registry.chain.client.mine({ blocks });

/** The objects in a command's output, a line each. */
export const linesOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

export const newFile = () => join(directoryWith({})('.'), 'watch.json');

/** The transaction of the newest block. */
export async function lastTransaction() {
  const { transactions } = await registry.chain.client.getBlock();
  return transactions[0] ?? '0x';
}

/** Attests by a sender for the author, and gives the transaction. */
export async function attestAs(sender: typeof author, n: number) {
  await attest(registry, draft(sender, { authority: author, digest: hash(n), salt: hash(1000 + n) }));
  return lastTransaction();
}

/** Puts other blocks, so many, in the place of what is after a snapshot. */
export async function undoTo(id: `0x${string}`, blocks: number): Promise<void> {
  const { client } = registry.chain;
  await client.revert({ id });
  await client.increaseTime({ seconds: 100 });
  await mine(blocks);
}
