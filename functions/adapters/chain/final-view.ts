import { executeFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { AbiDecodingZeroDataError, type Address, encodeFunctionData, keccak256 } from 'viem';
import type { Call, FinalView } from '../../domain/chain.ts';
import { CallRevertedError } from '../../domain/errors.ts';
import { blockOf, type Confirmations, finalBlock } from './blocks.ts';
import { type BlockParameter, createReader, ethCall } from './calls.ts';
import { isOperator, readEntry, readRegistryState, readRegistryStates } from './contracts.ts';
import { count, hex, type Rpc } from './rpc.ts';
import { batchReasons } from './simulation.ts';

export function finalViews(confirmations: Confirmations): (rpc: Rpc) => Promise<FinalView> {
  const numberOnly = new WeakSet<Rpc>();
  return async (rpc) => {
    const final = await finalBlock(rpc, confirmations);
    const read = createReader(rpc, final, numberOnly);
    return {
      block: blockOf(final),
      registryState: (query) => read((block) => readRegistryState(rpc, query, block)),
      registryStates: (queries) => read((block) => readRegistryStates(rpc, queries, block)),
      entry: (registryAddress, index) => read((block) => readEntry(rpc, registryAddress, index, block)),
      codeHash: async (address) => {
        const code = await read((block) => rpc('eth_getCode', [address, block], hex));
        return code === '0x' ? undefined : keccak256(code);
      },
      minedCount: (address) => read((block) => rpc('eth_getTransactionCount', [address, block], count)),
      isOperator: (forwarder, signer) => read((block) => isOperator(rpc, forwarder, signer, block)),
      revertReasons: (calls, signer) => read((block) => revertReasons(rpc, calls, signer, block)),
    };
  };
}

async function revertReasons(
  rpc: Rpc,
  calls: readonly Call[],
  signerAddress: Address,
  block: BlockParameter,
) {
  const inBatch = await reasonsInBatch(rpc, calls, signerAddress, block);
  return inBatch ?? Promise.all(calls.map((call) => revertReason(rpc, call, block)));
}

/** Simulates all calls through a forwarder in one call; `undefined` if the forwarder does not accept the signer. */
async function reasonsInBatch(
  rpc: Rpc,
  calls: readonly Call[],
  signerAddress: Address,
  block: BlockParameter,
) {
  const [first] = calls;
  if (!first || first.from === signerAddress) return undefined;
  const data = encodeFunctionData({ abi: [executeFunction], args: [calls.map((call) => call.data)] });
  try {
    return await batchReasons(rpc, { from: signerAddress, to: first.from, data }, block);
  } catch (error) {
    if (error instanceof CallRevertedError || error instanceof AbiDecodingZeroDataError) return undefined;
    throw error;
  }
}

async function revertReason(rpc: Rpc, call: Call, block: BlockParameter): Promise<string | undefined> {
  try {
    await ethCall(rpc, call, block);
    return undefined;
  } catch (error) {
    if (error instanceof CallRevertedError) return error.reason;
    throw error;
  }
}
