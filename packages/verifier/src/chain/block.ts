import { isHash, isHex } from 'viem';
import type { Hex } from '../hex.ts';
import { type Provider, ProviderFaultError } from './provider.ts';

/** A block's header, as far as a verification needs it. */
export interface Block {
  readonly number: number;
  readonly hash: Hex;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** A provider's answer that no node gives. */
export function malformed(method: string): ProviderFaultError {
  return new ProviderFaultError(`gives no usable answer to ${method}`);
}

/** Parses a quantity of JSON-RPC. @throws ProviderFaultError */
export function quantityIn(answer: unknown, method: string): number {
  const number = isHex(answer) && answer.length > 2 ? Number(answer) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw malformed(method);
}

const method = 'eth_getBlockByNumber';

/** A block as a provider gives it. */
export interface GivenBlock extends Block {
  /** Its fields as they came. */
  readonly fields: object;
}

/** Asks for a block's header by number or tag; `undefined` where the provider has none. @throws NodeRefusalError, ProviderFaultError */
export async function findBlock(provider: Provider, block: number | string): Promise<Block | undefined> {
  const given = await findGivenBlock(provider, block);
  return given && { number: given.number, hash: given.hash, timestamp: given.timestamp };
}

/** The same, with all fields that the provider gives. */
export async function findGivenBlock(
  provider: Provider,
  block: number | string,
): Promise<GivenBlock | undefined> {
  const param = typeof block === 'number' ? `0x${block.toString(16)}` : block;
  const answer = await provider.ask(method, [param, false]);
  if (answer === null) return undefined;
  if (typeof answer !== 'object' || !('number' in answer && 'hash' in answer && 'timestamp' in answer))
    throw malformed(method);
  const { number, hash, timestamp } = answer;
  if (typeof hash !== 'string' || !isHash(hash)) throw malformed(method);
  const [at, time] = [quantityIn(number, method), quantityIn(timestamp, method)];
  return { number: at, hash, timestamp: time, fields: answer };
}
