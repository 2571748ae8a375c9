import { type Hash, numberToHex } from 'viem';
import type { Block, Head } from '../../domain/chain.ts';
import type { ChainSettings } from '../../domain/settings.ts';
import { AnswerMalformedError, block, pricedBlock, type Rpc } from './rpc.ts';

export interface HashedBlock extends Block {
  readonly hash: Hash;
}

export function blockOf({ number, timestamp }: Block): Block {
  return { number, timestamp };
}

/** The provider lacks a block that should exist: its nodes differ, there was a reorg, or no block is final yet. */
export const blockMissing = (named: number | Hash | 'finalized') =>
  new Error(`a provider does not have this block: ${named}`);

export async function newestBlock(rpc: Rpc): Promise<HashedBlock & Head> {
  const { baseFeePerGas, ...newest } = await rpc('eth_getBlockByNumber', ['latest', false], pricedBlock);
  return typeof baseFeePerGas === 'bigint' ? { ...newest, baseFee: baseFeePerGas } : newest;
}

export async function blockByNumber(rpc: Rpc, blockNumber: number): Promise<HashedBlock | undefined> {
  const method = 'eth_getBlockByNumber';
  const found = await rpc(method, [numberToHex(blockNumber), false], block.nullable());
  if (found && found.number !== blockNumber) throw new AnswerMalformedError(method);
  return found ?? undefined;
}

export type Confirmations = ChainSettings['confirmations'];

async function finalizedBlock(rpc: Rpc): Promise<HashedBlock> {
  const found = await rpc('eth_getBlockByNumber', ['finalized', false], block.nullable());
  if (!found) throw blockMissing('finalized');
  return found;
}

function numberAtDepth(newest: Block, confirmations: number): number {
  return Math.max(0, newest.number - confirmations + 1);
}

/** Returns the number of the newest final block. The caller reads `newest` in the same request, so it is a promise. */
export async function finalNumberOf(rpc: Rpc, confirmations: Confirmations, newest: Promise<Block>) {
  if (confirmations === 'finalized') return (await finalizedBlock(rpc)).number;
  return numberAtDepth(await newest, confirmations);
}

export async function finalBlock(rpc: Rpc, confirmations: Confirmations): Promise<HashedBlock> {
  if (confirmations === 'finalized') return finalizedBlock(rpc);
  const newest = await newestBlock(rpc);
  if (confirmations === 1) return newest;
  const blockNumber = numberAtDepth(newest, confirmations);
  const found = await blockByNumber(rpc, blockNumber);
  if (!found) throw blockMissing(blockNumber);
  return found;
}
