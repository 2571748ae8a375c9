import { type Address, type Hash, type Hex, numberToHex } from 'viem';
import type { Call } from '../../domain/chain.ts';
import { blockByNumber, blockMissing, type HashedBlock } from './blocks.ts';
import { hex, quantity, type Rpc } from './rpc.ts';
import { catchRevert, isParameterRefusal, throwEstimateError } from './rpc-errors.ts';

/** A block as a parameter of JSON-RPC: by number, by hash (EIP-1898), or the newest. */
export type BlockParameter = Hex | 'latest' | { readonly blockHash: Hash; readonly requireCanonical: true };

/**
 * Reads at one block, with any number of calls. The read must not throw CallRevertedError: `Providers.ask` takes that
 * error for an answer, and the block's hash would not be compared.
 */
export type ReadAtBlock = <Result>(read: (block: BlockParameter) => Promise<Result>) => Promise<Result>;

/** Creates a reader pinned to a block's hash. Providers in `numberOnly` accept only numbers, so the hash is compared. */
export function createReader(rpc: Rpc, { number, hash }: HashedBlock, numberOnly: WeakSet<Rpc>): ReadAtBlock {
  return async (read) => {
    try {
      if (!numberOnly.has(rpc)) return await read({ blockHash: hash, requireCanonical: true });
    } catch (error) {
      if (!isParameterRefusal(error)) throw error;
    }
    const [answer, found] = await Promise.all([read(numberToHex(number)), blockByNumber(rpc, number)]);
    if (found?.hash !== hash) throw blockMissing(hash);
    numberOnly.add(rpc);
    return answer;
  };
}

export function callView(rpc: Rpc, to: Address, data: Hex, block: BlockParameter): Promise<Hex> {
  return rpc('eth_call', [{ to, data }, block], hex);
}

/** Simulates a call at the end of the block. @throws CallRevertedError */
export function ethCall(rpc: Rpc, call: Call, block: BlockParameter): Promise<Hex> {
  return catchRevert(rpc('eth_call', [call, block], hex));
}

/** Estimates gas without a gas price: with one, nodes reject the estimate for an account without money. */
export function estimateGas(rpc: Rpc, call: Call): Promise<bigint> {
  return catchRevert(rpc('eth_estimateGas', [call, 'latest'], quantity).catch(throwEstimateError));
}
