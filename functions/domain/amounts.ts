import { parseEther, parseGwei } from 'viem';

export function gweiToWei(amount: number): bigint {
  return parseGwei(amount.toFixed(9));
}

export function coinsToWei(amount: number): bigint {
  return parseEther(amount.toFixed(18));
}
