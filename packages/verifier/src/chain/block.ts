import { numberToHex } from 'viem';
import type { Hex } from '../hex.ts';
import { malformed, type Provider } from './provider.ts';

/** A block's header, as far as a verification needs it. */
export interface Block {
  readonly number: number;
  readonly hash: Hex;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

const method = 'eth_getBlockByNumber';

/** Asks for a block by number or tag; `undefined` where the provider has none. @throws NodeRefusalError, ProviderFaultError */
export async function findBlock(provider: Provider, block: number | string): Promise<Block | undefined> {
  const param = typeof block === 'number' ? numberToHex(block) : block;
  const answer = await provider.askPart(method, [param, false]);
  if (answer.value === null) return undefined;
  return {
    number: answer.field('number').quantity(),
    hash: answer.field('hash').hash(),
    timestamp: answer.field('timestamp').quantity(),
  };
}

/** A block that must be there. @throws NodeRefusalError, ProviderFaultError */
export async function blockAt(provider: Provider, place: number | 'latest'): Promise<Block> {
  const block = await findBlock(provider, place);
  if (!block) throw malformed(method);
  return block;
}
