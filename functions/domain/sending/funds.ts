import { formatEther } from 'viem';
import { coinsToWei } from '../amounts.ts';
import type { Fees, SignerFeeData } from '../chain.ts';
import type { Attempt, LaneState, Transaction } from '../lane/lane.ts';
import type { ChainSettings } from '../settings.ts';
import { batchLimits } from './batch-call.ts';
import { affordableGas, larger, rollupFeeOf } from './fees.ts';

type Spent = NonNullable<LaneState['spent']>;

export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Adds an amount of wei, possibly negative, to today's spending (UTC). A new day begins at zero. */
export function addSpending({ spent }: Pick<LaneState, 'spent'>, wei: bigint, now: Date): Spent {
  const day = utcDay(now);
  const before = spent?.day === day ? BigInt(spent.wei) : 0n;
  const after = before + wei;
  return { day, wei: String(after > 0n ? after : 0n) };
}

/** Whether the lane has spent more than four fifths of its daily budget. */
export function isNearBudget({ wei }: Spent, { dailyFeeBudget }: ChainSettings): boolean {
  return dailyFeeBudget !== undefined && BigInt(wei) * 5n > coinsToWei(dailyFeeBudget) * 4n;
}

export function insufficientFunds({ balance }: SignerFeeData): Error {
  return new Error(`insufficient funds: ${formatEther(balance)} on the key's account`);
}

export function maxCost(feeData: SignerFeeData, { maxFeePerGas }: Fees, gasLimit: bigint): bigint {
  return gasLimit * maxFeePerGas + rollupFeeOf(feeData, gasLimit);
}

/** Computes the maximum gas cost of an attempt, in wei. */
export function gasCost({ gasLimit }: Transaction, attempt: Fees & Pick<Attempt, 'gasLimit'>): bigint {
  return (attempt.gasLimit ?? gasLimit) * attempt.maxFeePerGas;
}

/** Computes the maximum cost of a pending transaction. Any of its attempts may be mined. */
function reservedCost(transaction: Transaction, fees: Fees): bigint {
  const { attempts, rollupFee = 0n } = transaction;
  const costs = (attempts.length > 0 ? attempts : [fees]).map((attempt) => gasCost(transaction, attempt));
  return costs.reduce(larger) + rollupFee;
}

export interface Funds {
  readonly state: Pick<LaneState, 'spent'>;
  readonly pending: readonly Transaction[];
  readonly feeData: SignerFeeData;
  readonly fees: Fees;
}

export interface GasAllowance {
  readonly gas: bigint;
  readonly reason: Error;
}

/** Computes the gas that the account and the daily budget can pay for at worst, besides all pending transactions. */
export function gasAllowance(funds: Funds, settings: ChainSettings, now: Date): GasAllowance {
  const { state, pending, feeData, fees } = funds;
  const { dailyFeeBudget: budget, maxTransactionFee } = settings;
  const reserved = pending.reduce((sum, transaction) => sum + reservedCost(transaction, fees), 0n);
  const spent = BigInt(addSpending(state, 0n, now).wei);
  const gasFor = (wei: bigint) => affordableGas(wei, feeData, fees);
  const allowances: GasAllowance[] = [
    { gas: batchLimits.gas, reason: new Error(`a transaction uses at most ${batchLimits.gas} gas`) },
    {
      gas: coinsToWei(maxTransactionFee) / larger(fees.maxFeePerGas, 1n),
      reason: new Error(`nodes do not relay a transaction that may cost more than ${maxTransactionFee}`),
    },
    { gas: gasFor(feeData.balance - reserved), reason: insufficientFunds(feeData) },
  ];
  if (budget !== undefined)
    allowances.push({
      gas: gasFor(coinsToWei(budget) - spent),
      reason: new Error(`fee budget of ${budget} a day is used up`),
    });
  return allowances.reduce((min, allowance) => (allowance.gas < min.gas ? allowance : min));
}
