import { decodeFunctionResult } from 'viem';
import { executeFunction } from '../../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { Call, Route, Simulation } from '../../domain/chain.ts';
import { CallRevertedError } from '../../domain/errors.ts';
import { estimateGas, ethCall } from './calls.ts';
import type { ReadFeeData } from './fee-data.ts';
import type { Rpc } from './rpc.ts';
import { reasonOf } from './rpc-errors.ts';

type SimulatedCalls = Pick<Simulation, 'gas' | 'failures'>;

/** Simulates a transaction and reads the fee data, in one request. */
export async function simulate(
  rpc: Rpc,
  readFeeData: ReadFeeData,
  transaction: Call,
  route: Route,
): Promise<Simulation> {
  const tried = route === 'key' ? tryCall(rpc, transaction) : tryBatch(rpc, transaction);
  const [outcome, feeData] = await Promise.all([tried, readFeeData(rpc, transaction.from)]);
  return { ...outcome, feeData };
}

async function tryCall(rpc: Rpc, call: Call): Promise<SimulatedCalls> {
  try {
    return { gas: await estimateGas(rpc, call), failures: new Map() };
  } catch (error) {
    if (!(error instanceof CallRevertedError)) throw error;
    return { failures: new Map([[0, error.reason]]) };
  }
}

/** @throws CallRevertedError when the batch reverts as a whole. */
async function tryBatch(rpc: Rpc, batch: Call): Promise<SimulatedCalls> {
  const [gas, data] = await Promise.all([estimateGas(rpc, batch), ethCall(rpc, batch)]);
  const outcomes = decodeFunctionResult({ abi: [executeFunction], data });
  const failures = new Map<number, string>();
  for (const [position, revertData] of outcomes.entries()) {
    if (revertData !== '0x') failures.set(position, reasonOf(revertData));
  }
  return { gas, failures };
}
