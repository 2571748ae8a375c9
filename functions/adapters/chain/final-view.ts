import { numberToHex } from 'viem';
import type { Block, Call, FinalView } from '../../domain/chain.ts';
import { CallRevertedError } from '../../domain/errors.ts';
import { finalBlock } from './blocks.ts';
import { ethCall } from './calls.ts';
import { isOperator, viemRegistry } from './contracts.ts';
import { count, type Rpc } from './rpc.ts';

/** Creates the view of the chain at its final block, all of it from this provider. */
export async function finalView(rpc: Rpc, confirmations: number): Promise<FinalView> {
  const { number, timestamp }: Block = await finalBlock(rpc, confirmations);
  return {
    ...viemRegistry((question) => question(rpc), number),
    block: { number, timestamp },
    minedCount: (address) => rpc('eth_getTransactionCount', [address, numberToHex(number)], count),
    isOperator: (forwarderAddress, signerAddress) => isOperator(rpc, forwarderAddress, signerAddress, number),
    revertReason: (call) => revertReason(rpc, call, number),
  };
}

async function revertReason(rpc: Rpc, call: Call, blockNumber: number): Promise<string | undefined> {
  try {
    await ethCall(rpc, call, blockNumber);
    return undefined;
  } catch (error) {
    if (error instanceof CallRevertedError) return error.reason;
    throw error;
  }
}
