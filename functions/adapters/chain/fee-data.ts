import { type Address, encodeFunctionData, numberToHex } from 'viem';
import * as z from 'zod';
import type { RollupFees, SignerFeeData } from '../../domain/chain.ts';
import { recentTip, tipHistory } from '../../domain/sending/fees.ts';
import type { ChainSettings } from '../../domain/settings.ts';
import { feeHistory, pricedBlock, quantity, type Rpc } from './rpc.ts';
import { revertOf, rpcRefusal } from './rpc-errors.ts';

const gasPriceOracle = '0x420000000000000000000000000000000000000F';

const word = { name: '', type: 'uint256' } as const;
const view = { type: 'function', stateMutability: 'view', inputs: [word], outputs: [word] } as const;

/** The oracle's functions: the first takes the size of an unsigned transaction, the second an amount of gas. */
const oracleAbi = [
  { ...view, name: 'getL1FeeUpperBound' },
  { ...view, name: 'getOperatorFee' },
] as const;

/** Maximum size of an unsigned transaction without its calldata. */
const envelopeBytes = 128;

export async function readRollupFees(rpc: Rpc, calldataBytes: number): Promise<RollupFees> {
  const [dataFee, operatorFeeConstant, operatorFeeOfMillion] = await Promise.all([
    readOracle(rpc, 'getL1FeeUpperBound', BigInt(calldataBytes + envelopeBytes)),
    readOracle(rpc, 'getOperatorFee', 0n).catch(zeroIfOlder),
    readOracle(rpc, 'getOperatorFee', 1_000_000n).catch(zeroIfOlder),
  ]);
  const operatorFeePerMillionGas = operatorFeeOfMillion - operatorFeeConstant;
  return { dataFee, operatorFeeConstant, operatorFeePerMillionGas };
}

type OracleFunction = (typeof oracleAbi)[number]['name'];

/** Answer of an address without code. */
const emptyAnswer = '0x';

async function readOracle(rpc: Rpc, functionName: OracleFunction, argument: bigint): Promise<bigint> {
  const data = encodeFunctionData({ abi: oracleAbi, functionName, args: [argument] });
  const call = { to: gasPriceOracle, data };
  const answer = await rpc('eth_call', [call, 'latest'], z.union([z.literal(emptyAnswer), quantity]));
  if (answer === emptyAnswer)
    throw new Error('no gas price oracle: this is not an OP-stack chain, contrary to its settings');
  return answer;
}

/** Returns zero for an oracle older than the upgrade Isthmus, because such an oracle has no operator fee. */
function zeroIfOlder(error: unknown): bigint {
  if (revertOf(error) === undefined) throw error;
  return 0n;
}

export type ReadFeeData = (
  rpc: Rpc,
  signerAddress: Address,
  calldataBytes?: number,
) => Promise<SignerFeeData>;

/**
 * Creates a reader of the fee data. A read takes one request if the base fee is above zero, or if an earlier read found
 * that the chain lacks EIP-1559.
 */
export function feeDataReader({ rollup }: Pick<ChainSettings, 'rollup'>): ReadFeeData {
  const readGasPrices = gasPricesReader();
  if (!rollup) return readGasPrices;
  return async (rpc, signerAddress, calldataBytes = 0) => {
    const [feeData, rollupFees] = await Promise.all([
      readGasPrices(rpc, signerAddress),
      readRollupFees(rpc, calldataBytes),
    ]);
    return { ...feeData, rollupFees };
  };
}

function gasPricesReader() {
  let legacy = false;
  return async (rpc: Rpc, signerAddress: Address): Promise<SignerFeeData> => {
    const feeData = legacy ? undefined : await ignoreRefusal(eip1559FeeData(rpc, signerAddress));
    if (feeData && feeData.baseFee > 0n) return feeData;
    // Nodes of chains without EIP-1559 reject the fee history or return zeros. An EIP-1559 base fee may be zero too.
    const legacyFeeData = await gasPriceFeeData(rpc, signerAddress);
    legacy = legacyFeeData !== undefined;
    return legacyFeeData ?? feeData ?? eip1559FeeData(rpc, signerAddress);
  };
}

async function ignoreRefusal<Answer>(reading: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (rpcRefusal(error)) return undefined;
    throw error;
  }
}

export function balanceOf(rpc: Rpc, address: Address): Promise<bigint> {
  return rpc('eth_getBalance', [address, 'latest'], quantity);
}

async function eip1559FeeData(rpc: Rpc, signerAddress: Address): Promise<SignerFeeData> {
  const [{ baseFeePerGas, gasUsedRatio, oldestBlock, reward }, balance] = await Promise.all([
    rpc('eth_feeHistory', [numberToHex(tipHistory.blocks), 'latest', [tipHistory.percentile]], feeHistory),
    balanceOf(rpc, signerAddress),
  ]);
  return {
    blockNumber: oldestBlock + gasUsedRatio.length - 1,
    baseFee: baseFeePerGas.at(-1) ?? 0n,
    tip: recentTip((reward ?? []).map(([tip = 0n]) => tip)),
    balance,
  };
}

/** Fee data of a chain without EIP-1559; `undefined` when the chain has it. */
async function gasPriceFeeData(rpc: Rpc, signerAddress: Address): Promise<SignerFeeData | undefined> {
  const [{ number, baseFeePerGas }, tip, balance] = await Promise.all([
    rpc('eth_getBlockByNumber', ['latest', false], pricedBlock),
    rpc('eth_gasPrice', [], quantity),
    balanceOf(rpc, signerAddress),
  ]);
  const hasBaseFee = baseFeePerGas !== undefined && baseFeePerGas !== null;
  return hasBaseFee ? undefined : { blockNumber: number, baseFee: 0n, tip, balance, legacy: true };
}
