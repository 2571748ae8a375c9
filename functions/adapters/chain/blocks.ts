import { type Hash, numberToHex } from 'viem';
import type { Block } from '../../domain/chain.ts';
import { AnswerMalformedError, block, type Rpc } from './rpc.ts';

/** Block with its hash. */
export interface HashedBlock extends Block {
  readonly hash: Hash;
}

/** The provider lacks a block that another answer of it names: it lags behind itself, or the chain is reorganised. */
export class BlockMissingError extends Error {
  override readonly name = 'BlockMissingError';
  constructor(named: number | Hash) {
    super(`a provider lacks block ${named}`);
  }
}

export function newestBlock(rpc: Rpc): Promise<HashedBlock> {
  return rpc('eth_getBlockByNumber', ['latest', false], block);
}

/** Reads a block by its number; `undefined` when the provider lacks it. */
export async function blockByNumber(rpc: Rpc, blockNumber: number): Promise<HashedBlock | undefined> {
  const method = 'eth_getBlockByNumber';
  const found = await rpc(method, [numberToHex(blockNumber), false], block.nullable());
  if (found && found.number !== blockNumber) throw new AnswerMalformedError(method);
  return found ?? undefined;
}

/** Reads a block by its hash. @throws BlockMissingError */
export async function blockByHash(rpc: Rpc, hash: Hash): Promise<HashedBlock> {
  const found = await rpc('eth_getBlockByHash', [hash, false], block.nullable());
  if (found?.hash !== hash) throw new BlockMissingError(hash);
  return found;
}

/** Reads the newest block that has this many confirmations; the newest of all has one. @throws BlockMissingError */
export async function finalBlock(rpc: Rpc, confirmations: number): Promise<Block> {
  const newest = await newestBlock(rpc);
  if (confirmations === 1) return newest;
  const blockNumber = Math.max(0, newest.number - confirmations + 1);
  const found = await blockByNumber(rpc, blockNumber);
  if (!found) throw new BlockMissingError(blockNumber);
  return found;
}
