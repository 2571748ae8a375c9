import { type Address, type Hex, numberToHex } from 'viem';
import type { Call } from '../../domain/chain.ts';
import { hex, quantity, type Rpc } from './rpc.ts';
import { reverting, unlessTooLarge } from './rpc-errors.ts';

/** How a block is named: by number, or as the newest. */
export function blockTag(blockNumber: number | undefined): Hex | 'latest' {
  return blockNumber === undefined ? 'latest' : numberToHex(blockNumber);
}

/** What a view returns at the end of that block, or of the newest. */
export function callView(rpc: Rpc, to: Address, data: Hex, blockNumber?: number): Promise<Hex> {
  return rpc('eth_call', [{ to, data }, blockTag(blockNumber)], hex);
}

/** What a call returns at the end of that block, or of the newest. @throws CallRevertedError */
export function ethCall(rpc: Rpc, call: Call, blockNumber?: number): Promise<Hex> {
  return reverting(rpc('eth_call', [call, blockTag(blockNumber)], hex));
}

/**
 * What gas a call takes at the newest block. Named without a gas price, or nodes would refuse the estimate to an account
 * without money, and with words like those of a revert.
 *
 * @throws CallRevertedError
 */
export function estimateGas(rpc: Rpc, call: Call): Promise<bigint> {
  return reverting(rpc('eth_estimateGas', [call, 'latest'], quantity).catch(unlessTooLarge));
}
