import { coinsToWei, gweiToWei } from '../amounts.ts';
import type { FeeData, Fees, SignerFeeData } from '../chain.ts';
import type { ChainSettings } from '../settings.ts';

export type FeePolicy = Pick<ChainSettings, 'maxFeePerGasGwei' | 'minPriorityFeeGwei'>;

/** Number of recent blocks whose tips are used, and the percentile of the tips in each block. */
export const tipHistory = { blocks: 5, percentile: 50 } as const;

/** Computes the median of recent blocks' tips, in wei per gas; 0 if there are none. */
export function recentTip(blockTips: readonly bigint[]): bigint {
  const sorted = [...blockTips].sort((a, b) => (a < b ? -1 : 1));
  return sorted[Math.floor(sorted.length / 2)] ?? 0n;
}

export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Allows the base fee to double. @returns `undefined` if the next block costs more than the cap */
export function estimateFees({ baseFee, tip, legacy }: FeeData, policy: FeePolicy): Fees | undefined {
  const cap = gweiToWei(policy.maxFeePerGasGwei);
  const maxPriorityFeePerGas = larger(tip, gweiToWei(policy.minPriorityFeeGwei));
  if (baseFee + maxPriorityFeePerGas > cap) return undefined;
  const maxFeePerGas = smaller(2n * baseFee + maxPriorityFeePerGas, cap);
  return { maxFeePerGas, maxPriorityFeePerGas, ...(legacy ? { legacy } : {}) };
}

/** Minimum fee of a replacement: nodes require 10 % more in both fields, and at least 1 wei more. */
const minRaised = (fee: bigint): bigint => larger((fee * 11n + 9n) / 10n, fee + 1n);

/** Raises a fee by 20 %, rounded up, and by at least 1 wei. */
const raised = (fee: bigint): bigint => larger((fee * 12n + 9n) / 10n, fee + 1n);

/** Raises fees by 20 %, and at least to a new estimate. @returns `undefined` if the cap is too low to replace */
export function replacementFees(last: Fees, feeData: FeeData, policy: FeePolicy): Fees | undefined {
  const latest = estimateFees(feeData, policy);
  const cap = gweiToWei(policy.maxFeePerGasGwei);
  // A raise of less than 20 %, up to the cap, is enough if nodes accept it.
  if (cap < minRaised(last.maxFeePerGas) || cap < minRaised(last.maxPriorityFeePerGas)) return undefined;
  const maxFeePerGas = larger(raised(last.maxFeePerGas), latest?.maxFeePerGas ?? 0n);
  const maxPriorityFeePerGas = larger(raised(last.maxPriorityFeePerGas), latest?.maxPriorityFeePerGas ?? 0n);
  return {
    maxFeePerGas: smaller(larger(maxFeePerGas, maxPriorityFeePerGas), cap),
    maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, cap),
    ...(last.legacy ? { legacy: last.legacy } : {}),
  };
}

/** Applies the cap and `maxTransactionFee`. A cancellation uses little gas, so it may pay twice the cap. */
export function policyFor(settings: ChainSettings, gasLimit: bigint, cancels = false): FeePolicy {
  const { maxFeePerGasGwei: cap, minPriorityFeeGwei, maxTransactionFee } = settings;
  const maxGwei = Number(coinsToWei(maxTransactionFee) / (gasLimit || 1n)) / 1e9;
  return { minPriorityFeeGwei, maxFeePerGasGwei: Math.min(cancels ? 2 * cap : cap, maxGwei) };
}

/** Computes the maximum fee of an OP Stack chain on top of gas, in wei. The L1 fee may double before the block. */
export function rollupFeeOf({ rollupFees }: SignerFeeData, gasLimit: bigint): bigint {
  if (!rollupFees) return 0n;
  const { dataFee, operatorFeeConstant, operatorFeePerMillionGas } = rollupFees;
  return 2n * dataFee + operatorFeeConstant + (gasLimit * operatorFeePerMillionGas) / 1_000_000n;
}

/** Computes the gas that an amount of wei pays for in the worst case, including `rollupFeeOf`. */
export function affordableGas(wei: bigint, feeData: SignerFeeData, { maxFeePerGas }: Fees): bigint {
  const operatorFee = feeData.rollupFees?.operatorFeePerMillionGas ?? 0n;
  const weiPerMillionGas = larger(maxFeePerGas * 1_000_000n + operatorFee, 1n);
  return larger(((wei - rollupFeeOf(feeData, 0n)) * 1_000_000n) / weiPerMillionGas, 0n);
}
