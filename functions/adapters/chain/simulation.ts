import { commitFunction } from 'imprimatur-contracts/attestation-registry-abi';
import { executeFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, decodeFunctionResult, encodeFunctionData, size, zeroHash } from 'viem';
import type { Call, ContentUnderAuthority, Route, Simulation } from '../../domain/chain.ts';
import { CallRevertedError } from '../../domain/errors.ts';
import { type BlockParameter, estimateGas, ethCall } from './calls.ts';
import { readRegistryStates } from './contracts.ts';
import type { ReadFeeData } from './fee-data.ts';
import type { Rpc } from './rpc.ts';
import { reasonOf } from './rpc-errors.ts';

type SimulatedCalls = Pick<Simulation, 'gas' | 'failures'>;

export async function simulate(
  rpc: Rpc,
  readFeeData: ReadFeeData,
  transaction: Call,
  route: Route,
  contents: readonly ContentUnderAuthority[] = [],
): Promise<Simulation> {
  const tried = route === 'key' ? tryCall(rpc, transaction) : tryBatch(rpc, transaction);
  const [outcome, states, feeData] = await Promise.all([
    tried,
    contents.length > 0 ? readRegistryStates(rpc, contents, 'latest') : [],
    readFeeData(rpc, transaction.from, size(transaction.data)),
  ]);
  return { ...outcome, states, feeData };
}

export function emptyTransferGas(rpc: Rpc, signerAddress: Address): Promise<bigint> {
  return estimateGas(rpc, { from: signerAddress, to: signerAddress, data: '0x' });
}

/** A commit to zero, which nobody has made. It writes little more than one word, so it measures the gas of a word. */
const zeroCommit = encodeFunctionData({ abi: [commitFunction], args: [zeroHash] });

export async function wordGas(rpc: Rpc, from: Address, registryAddress: Address): Promise<bigint> {
  const [commit, transfer] = await Promise.all([
    estimateGas(rpc, { from, to: registryAddress, data: zeroCommit }),
    emptyTransferGas(rpc, from),
  ]);
  return commit - transfer;
}

async function tryCall(rpc: Rpc, call: Call): Promise<SimulatedCalls> {
  try {
    return { gas: await estimateGas(rpc, call), failures: new Map() };
  } catch (error) {
    if (!(error instanceof CallRevertedError)) throw error;
    return { failures: new Map([[0, error.reason]]) };
  }
}

async function tryBatch(rpc: Rpc, batch: Call): Promise<SimulatedCalls> {
  const [gas, reasons] = await Promise.all([estimateGas(rpc, batch), batchReasons(rpc, batch, 'latest')]);
  const failures = new Map<number, string>();
  for (const [position, reason] of reasons.entries()) {
    if (reason !== undefined) failures.set(position, reason);
  }
  return { gas, failures };
}

/** Returns why each call in a forwarder's batch reverts; throws CallRevertedError when the whole batch does. */
export async function batchReasons(rpc: Rpc, batch: Call, block: BlockParameter) {
  const outcomes = decodeFunctionResult({ abi: [executeFunction], data: await ethCall(rpc, batch, block) });
  return outcomes.map((revertData) => (revertData === '0x' ? undefined : reasonOf(revertData)));
}
