import { setTimeout as pause } from 'node:timers/promises';
import { keccak256, zeroHash } from 'viem';
import { quoteRoot } from '../../../functions/domain/attestation/quote-root.ts';
import { commitBy, fund, publicClient, revealBy } from '../stack/chain.ts';
import { saltedHashOf } from '../stack/commitment.ts';
import type { Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { digestOf } from './shapes.ts';

export async function attestDirectly({ authority }: Publisher, text: string): Promise<void> {
  const salt = keccak256('0x5a17');
  const digest = digestOf(text);
  const saltedHash = saltedHashOf(digest, authority.address, salt);
  await fund(authority.address);
  await commitBy(authority, saltedHash);
  const { timestamp: committedAt } = await publicClient.getBlock();
  const revealableAt = committedAt + BigInt(stack.revealDelaySeconds);
  while ((await publicClient.getBlock()).timestamp < revealableAt) await pause(300);
  await revealBy(authority, [saltedHash, salt, digest, quoteRoot(text), zeroHash, authority.address]);
}
