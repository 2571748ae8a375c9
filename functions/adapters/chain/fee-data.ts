import { type Address, numberToHex } from 'viem';
import type { SignerFeeData } from '../../domain/chain.ts';
import { recentTip, tipHistory } from '../../domain/sending/fees.ts';
import type { ChainSettings } from '../../domain/settings.ts';
import { readRollupFees } from './rollup-fees.ts';
import { feeHistory, pricedBlock, quantity, type Rpc } from './rpc.ts';
import { rpcRefusal } from './rpc-errors.ts';

/** Function that reads the fee data and the signer's balance from a provider. */
export type ReadFeeData = (
  rpc: Rpc,
  signerAddress: Address,
  calldataBytes?: number,
) => Promise<SignerFeeData>;

/** Creates a reader of the fee data. It takes one request, once it has seen whether the chain has EIP-1559. */
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
    const feeData = legacy ? undefined : await unlessRefused(eip1559FeeData(rpc, signerAddress));
    if (feeData && feeData.baseFee > 0n) return feeData;
    // Nodes of chains without EIP-1559 refuse the fee history or answer zeros, but a base fee may be zero.
    const legacyFeeData = await gasPriceFeeData(rpc, signerAddress);
    legacy = legacyFeeData !== undefined;
    return legacyFeeData ?? feeData ?? eip1559FeeData(rpc, signerAddress);
  };
}

async function unlessRefused<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (rpcRefusal(error)) return undefined;
    throw error;
  }
}

export function balanceOf(rpc: Rpc, address: Address): Promise<bigint> {
  return rpc('eth_getBalance', [address, 'latest'], quantity);
}

/** The next block's base fee, and the tip of recent blocks. */
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
