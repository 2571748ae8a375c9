import { type Address, type Hash, type Hex, numberToHex } from 'viem';
import type { Call } from '../../domain/chain.ts';
import { BlockMissingError, blockByNumber, type HashedBlock } from './blocks.ts';
import { hex, quantity, type Rpc } from './rpc.ts';
import { isParameterRefusal, reverting, unlessTooLarge } from './rpc-errors.ts';

/** A block as a parameter of JSON-RPC: by number, by hash (EIP-1898), or the newest. */
export type BlockParameter = Hex | 'latest' | { readonly blockHash: Hash; readonly requireCanonical: true };

/** Reads something at one block, in as many calls as it takes. A revert is to be an answer, not an error. */
export type ReadAtBlock = <Answer>(read: (at: BlockParameter) => Promise<Answer>) => Promise<Answer>;

/**
 * Makes the function that reads at one block of a provider, pinned by its hash. A provider that does not know hashes as
 * parameters is asked by number, and for the block itself with it: all is of that block if it is there all the while.
 *
 * @param unpinned the providers that do not know them
 * @throws BlockMissingError when another block is at that number by now
 */
export function readerAt(rpc: Rpc, { number, hash }: HashedBlock, unpinned: WeakSet<Rpc>): ReadAtBlock {
  return async (read) => {
    try {
      if (!unpinned.has(rpc)) return await read({ blockHash: hash, requireCanonical: true });
    } catch (error) {
      if (!isParameterRefusal(error)) throw error;
    }
    const [answer, block] = await Promise.all([read(numberToHex(number)), blockByNumber(rpc, number)]);
    if (block?.hash !== hash) throw new BlockMissingError(hash);
    unpinned.add(rpc);
    return answer;
  };
}

/** Calls a view at the end of that block. */
export function callView(rpc: Rpc, to: Address, data: Hex, at: BlockParameter): Promise<Hex> {
  return rpc('eth_call', [{ to, data }, at], hex);
}

/** Simulates a call at the end of that block. @throws CallRevertedError */
export function ethCall(rpc: Rpc, call: Call, at: BlockParameter): Promise<Hex> {
  return reverting(rpc('eth_call', [call, at], hex));
}

/**
 * Estimates the gas of a call at the newest block. The call has no gas price: with one, nodes refuse the estimate to an
 * account without money, in words like those of a revert.
 *
 * @throws CallRevertedError
 */
export function estimateGas(rpc: Rpc, call: Call): Promise<bigint> {
  return reverting(rpc('eth_estimateGas', [call, 'latest'], quantity).catch(unlessTooLarge));
}
