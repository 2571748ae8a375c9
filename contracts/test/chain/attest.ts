import { type Address, concat, type Hex, keccak256, pad, zeroHash } from 'viem';
import type { RegistryFixture } from './registry.ts';

/** Any 32 bytes, different for different numbers. */
export function hash(n: number): Hex {
  return keccak256(pad(`0x${n.toString(16).padStart(2, '0')}`));
}

/** The input of an attestation; `sender` commits and reveals. */
export interface Draft {
  readonly sender: Address;
  readonly authority: Address;
  readonly digest: Hex;
  readonly quoteRoot: Hex;
  readonly parent: Hex;
  readonly salt: Hex;
}

export function draft(sender: Address, fields: Partial<Draft> = {}): Draft {
  return {
    sender,
    authority: sender,
    digest: hash(1),
    quoteRoot: hash(2),
    parent: zeroHash,
    salt: hash(3),
    ...fields,
  };
}

/** The hash of the documented preimage, computed independently of the contract. */
export function saltedHash({ digest, sender, salt }: Draft): Hex {
  return keccak256(concat([digest, pad(sender, { dir: 'right', size: 32 }), salt]));
}

export function revealArguments(draft: Draft) {
  const { salt, digest, quoteRoot, parent, authority } = draft;
  return [saltedHash(draft), salt, digest, quoteRoot, parent, authority] as const;
}

export function commit(registry: RegistryFixture, draft: Draft) {
  return registry.mine(draft.sender, 'commit', [saltedHash(draft)]);
}

/** Commits, waits for the delay and reveals. */
export async function attest(registry: RegistryFixture, draft: Draft, delaySeconds = 60n) {
  const { timestamp } = await commit(registry, draft);
  await registry.setNextTimestamp(timestamp + delaySeconds);
  return registry.mine(draft.sender, 'reveal', revealArguments(draft));
}
