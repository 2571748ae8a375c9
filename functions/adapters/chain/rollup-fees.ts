import { encodeFunctionData } from 'viem';
import * as z from 'zod';
import type { RollupFees } from '../../domain/chain.ts';
import { quantity, type Rpc } from './rpc.ts';
import { revertOf } from './rpc-errors.ts';

/** Predeployed contract of OP-stack chains. */
const gasPriceOracle = '0x420000000000000000000000000000000000000F';

const word = { name: '', type: 'uint256' } as const;
const view = { type: 'function', stateMutability: 'view', inputs: [word], outputs: [word] } as const;

/** The oracle's functions: the first takes the bytes of an unsigned transaction, the second gas. */
const oracleAbi = [
  { ...view, name: 'getL1FeeUpperBound' },
  { ...view, name: 'getOperatorFee' },
] as const;

/** Upper bound of the bytes of an unsigned transaction beside its calldata. */
const envelopeBytes = 128;

/** The chain's settings say that it is an OP-stack chain, and it has no gas price oracle. */
class OracleMissingError extends Error {
  override readonly name = 'OracleMissingError';
  constructor() {
    super('no gas price oracle: this is no OP-stack chain, although its settings say so');
  }
}

/** Reads the fees that an OP-stack chain takes beside gas, of a transaction with so much calldata. */
export async function readRollupFees(rpc: Rpc, calldataBytes: number): Promise<RollupFees> {
  const [dataFee, operatorFeeConstant, operatorFeeOfMillion] = await Promise.all([
    askOracle(rpc, 'getL1FeeUpperBound', BigInt(calldataBytes + envelopeBytes)),
    askOracle(rpc, 'getOperatorFee', 0n).catch(unlessOlder),
    askOracle(rpc, 'getOperatorFee', 1_000_000n).catch(unlessOlder),
  ]);
  const operatorFeePerMillionGas = operatorFeeOfMillion - operatorFeeConstant;
  return { dataFee, operatorFeeConstant, operatorFeePerMillionGas };
}

type OracleFunction = (typeof oracleAbi)[number]['name'];

/** Answer of an address without code. */
const nothing = '0x';

async function askOracle(rpc: Rpc, functionName: OracleFunction, argument: bigint): Promise<bigint> {
  const data = encodeFunctionData({ abi: oracleAbi, functionName, args: [argument] });
  const call = { to: gasPriceOracle, data };
  const answer = await rpc('eth_call', [call, 'latest'], z.union([z.literal(nothing), quantity]));
  if (answer === nothing) throw new OracleMissingError();
  return answer;
}

/** An oracle older than the upgrade Isthmus knows no operator fee, because there is none. */
function unlessOlder(error: unknown): bigint {
  if (revertOf(error) === undefined) throw error;
  return 0n;
}
