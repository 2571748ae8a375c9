import type { Address } from 'viem';
import type { ReadingClient } from './lane-history.ts';
import { StackMissingError } from './stack-file.ts';

/** Where a lane stands at a moment: its history from there on starts so. */
export interface LaneStart {
  readonly fromBlock: bigint;
  readonly firstNonce: number;
}

/** @throws StackMissingError when the stack's chain does not answer: stack.json outlives the stack */
export async function laneStart(client: ReadingClient, signer: Address): Promise<LaneStart> {
  try {
    const blockNumber = await client.getBlockNumber();
    const firstNonce = await client.getTransactionCount({ address: signer, blockNumber });
    return { fromBlock: blockNumber + 1n, firstNonce };
  } catch (cause) {
    throw new StackMissingError({ cause });
  }
}
