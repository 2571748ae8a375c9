import { parseGwei } from 'viem';
import type { FeeData, Fees } from '../chain.ts';
import type { ChainSettings } from '../settings.ts';

export type FeePolicy = Pick<ChainSettings, 'maxFeePerGasGwei' | 'minPriorityFeeGwei'>;

const gwei = (amount: number): bigint => parseGwei(amount.toFixed(9));

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * What a new transaction offers: room for the base fee to double, and the tip recent blocks took.
 *
 * @returns nothing while even the next block would cost more than the chain's cap.
 */
export function estimateFees({ baseFee, tip, legacy }: FeeData, policy: FeePolicy): Fees | undefined {
  const cap = gwei(policy.maxFeePerGasGwei);
  const maxPriorityFeePerGas = larger(tip, gwei(policy.minPriorityFeeGwei));
  if (baseFee + maxPriorityFeePerGas > cap) return undefined;
  const maxFeePerGas = smaller(2n * baseFee + maxPriorityFeePerGas, cap);
  return { maxFeePerGas, maxPriorityFeePerGas, ...(legacy ? { legacy } : {}) };
}

/** Nodes ask for 10 % more in both fields, and strictly more. */
function leastBump(fee: bigint): bigint {
  return larger((fee * 11n + 9n) / 10n, fee + 1n);
}

/** 20 %, rounded up, is enough more from 1 wei on. */
function bumped(fee: bigint): bigint {
  return larger((fee * 12n + 9n) / 10n, fee + 1n);
}

/**
 * What replaces an attempt: 20 % more in both fields, and never less than a fresh estimate.
 *
 * @returns nothing when that is above the cap; then the same bytes are sent again.
 */
export function replacementFees(last: Fees, feeData: FeeData, policy: FeePolicy): Fees | undefined {
  const fresh = estimateFees(feeData, policy);
  const cap = gwei(policy.maxFeePerGasGwei);
  // The cap itself is a legal replacement as long as it is enough more.
  if (cap < leastBump(last.maxFeePerGas) || cap < leastBump(last.maxPriorityFeePerGas)) return undefined;
  const maxFeePerGas = larger(bumped(last.maxFeePerGas), fresh?.maxFeePerGas ?? 0n);
  const maxPriorityFeePerGas = larger(bumped(last.maxPriorityFeePerGas), fresh?.maxPriorityFeePerGas ?? 0n);
  return {
    maxFeePerGas: smaller(larger(maxFeePerGas, maxPriorityFeePerGas), cap),
    maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, cap),
    ...(last.legacy ? { legacy: last.legacy } : {}),
  };
}

/** A cancellation takes a fraction of the gas, and has to outbid what it cancels: it may go to twice the cap. */
export function cancellationFees(last: Fees, feeData: FeeData, policy: FeePolicy): Fees | undefined {
  return replacementFees(last, feeData, forCancelling(policy));
}

/** The same for a transaction that was never signed. */
export function firstCancellationFees(feeData: FeeData, policy: FeePolicy): Fees | undefined {
  return estimateFees(feeData, forCancelling(policy));
}

const forCancelling = ({ maxFeePerGasGwei, ...policy }: FeePolicy): FeePolicy => ({
  ...policy,
  maxFeePerGasGwei: 2 * maxFeePerGasGwei,
});
