import { type Address, type Hex, numberToHex } from 'viem';
import type { Call } from '../../domain/chain.ts';
import { hex, quantity, type Rpc } from './rpc.ts';
import { reverting, unlessTooLarge } from './rpc-errors.ts';

/** Encodes a block for JSON-RPC: by number, or `latest` without one. */
export function blockTag(blockNumber: number | undefined): Hex | 'latest' {
  return blockNumber === undefined ? 'latest' : numberToHex(blockNumber);
}

/** Calls a view at the end of that block, or of the newest. */
export function callView(rpc: Rpc, to: Address, data: Hex, blockNumber?: number): Promise<Hex> {
  return rpc('eth_call', [{ to, data }, blockTag(blockNumber)], hex);
}

/** Simulates a call at the end of that block, or of the newest. @throws CallRevertedError */
export function ethCall(rpc: Rpc, call: Call, blockNumber?: number): Promise<Hex> {
  return reverting(rpc('eth_call', [call, blockTag(blockNumber)], hex));
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
