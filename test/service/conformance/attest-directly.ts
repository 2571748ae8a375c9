import { setTimeout as pause } from 'node:timers/promises';
import { type Address, concat, type Hex, keccak256, pad, zeroHash } from 'viem';
import { quoteRoot } from '../../../functions/domain/attestation/quote-root.ts';
import { commitBy, fund, publicClient, revealBy } from '../stack/chain.ts';
import type { Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';
import { digestOf } from './shapes.ts';

/** Hash that a sender commits to, as the registry recomputes it at the reveal. */
export function saltedHashOf(digest: Hex, sender: Address, salt: Hex): Hex {
  return keccak256(concat([digest, pad(sender, { size: 32, dir: 'right' }), salt]));
}

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
