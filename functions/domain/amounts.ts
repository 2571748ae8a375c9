import { parseEther, parseGwei } from 'viem';

/** Converts gwei, in which the settings have fees per gas, to wei. */
export function gweiToWei(amount: number): bigint {
  return parseGwei(amount.toFixed(9));
}

/** Converts an amount in a chain's own coin, in which the settings have budgets, to wei. */
export function coinsToWei(amount: number): bigint {
  return parseEther(amount.toFixed(18));
}
