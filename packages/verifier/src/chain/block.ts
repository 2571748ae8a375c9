import { numberToHex } from 'viem';
import type { Hex } from '../hex.ts';
import { malformedAnswer, type Provider } from './provider.ts';

/** The part of a block's header that a verification needs. */
export interface Block {
  readonly number: number;
  readonly hash: Hex;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

const method = 'eth_getBlockByNumber';

/** Reads a block by number or tag; `undefined` if the provider does not have it. @throws NodeRefusalError, ProviderFaultError */
export async function findBlock(provider: Provider, block: number | string): Promise<Block | undefined> {
  const param = typeof block === 'number' ? numberToHex(block) : block;
  const answer = await provider.requestPart(method, [param, false]);
  if (answer.value === null) return undefined;
  return {
    number: answer.field('number').quantity(),
    hash: answer.field('hash').hash(),
    timestamp: answer.field('timestamp').quantity(),
  };
}

export async function readBlock(provider: Provider, block: number | 'latest'): Promise<Block> {
  const result = await findBlock(provider, block);
  if (!result) throw malformedAnswer(method);
  return result;
}
