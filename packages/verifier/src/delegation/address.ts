import { getAddress, isAddress } from 'viem';
import type { Address } from '../verifier.ts';

/** The address in a text, in its EIP-55 form; `undefined` where it is none, has a wrong checksum or is zero. */
export function addressIn(text: string): Address | undefined {
  const trimmed = text.trim();
  return isAddress(trimmed) && BigInt(trimmed) !== 0n ? getAddress(trimmed) : undefined;
}
