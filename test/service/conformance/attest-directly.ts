import { setTimeout as pause } from 'node:timers/promises';
import { concat, type Hex, keccak256, pad, zeroHash } from 'viem';
import { quoteRoot } from '../../../functions/domain/quote-tree.ts';
import { commitBy, publicClient, revealBy } from '../chain.ts';
import type { Publisher } from '../publisher.ts';
import { stack } from '../running-stack.ts';
import { digestOf } from './shapes.ts';

/** The authority attests by itself, without the service. */
export async function attestDirectly({ authority }: Publisher, text: string): Promise<void> {
  const salt = keccak256('0x5a17');
  const digest = digestOf(text);
  const sender = pad(authority.address, { size: 32, dir: 'right' });
  const saltedHash: Hex = keccak256(concat([digest, sender, salt]));
  await commitBy(authority, saltedHash);
  const { timestamp: committedAt } = await publicClient.getBlock();
  const revealableAt = committedAt + BigInt(stack.revealDelaySeconds);
  while ((await publicClient.getBlock()).timestamp < revealableAt) await pause(300);
  await revealBy(authority, [saltedHash, salt, digest, quoteRoot(text), zeroHash, authority.address]);
}
