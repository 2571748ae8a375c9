import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem';
import { delegateForwarderAbi as abi } from '../../contracts/artifacts/delegate-forwarder-abi.ts';
import { callView } from './viem-call.ts';
import type { Rpc } from './viem-rpc.ts';

const functionName = 'isOperator';

/** Whether the forwarder takes calls from the signer at the end of that block, or of the newest. */
export async function isOperator(
  rpc: Rpc,
  forwarderAddress: Address,
  signerAddress: Address,
  blockNumber?: number,
): Promise<boolean> {
  const called = encodeFunctionData({ abi, functionName, args: [signerAddress] });
  const data = await callView(rpc, forwarderAddress, called, blockNumber);
  return decodeFunctionResult({ abi, functionName, data });
}
