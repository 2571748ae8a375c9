import { formatEther } from 'viem';
import { coinsToWei } from '../amounts.ts';
import type { Fees, SignerFeeData } from '../chain.ts';
import type { LaneState } from '../lane/lane.ts';
import type { ChainSettings } from '../settings.ts';
import type { TransactionDraft } from './assign-nonce.ts';
import { rollupFeeOf } from './fees.ts';

type Spent = NonNullable<LaneState['spent']>;

/** Formats the UTC day of a time as YYYY-MM-DD. A budget is for one such day. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Adds an amount of wei, possibly negative, to what was spent today (UTC); a new day begins at zero. */
export function spentWith({ spent }: Pick<LaneState, 'spent'>, wei: bigint, now: Date): Spent {
  const day = dayOf(now);
  const before = spent?.day === day ? BigInt(spent.wei) : 0n;
  const after = before + wei;
  return { day, wei: String(after > 0n ? after : 0n) };
}

/** Whether that is more than so many fifths of what the lane may spend in a day. */
function isOverBudget({ wei }: Spent, { dailyFeeBudget }: ChainSettings, fifths = 5n): boolean {
  if (dailyFeeBudget === undefined) return false;
  return BigInt(wei) * 5n > coinsToWei(dailyFeeBudget) * fifths;
}

/** Result of checking a lane's funds: the balance of its key's account and the budget for the day. */
export type FundsCheck =
  | { readonly kind: 'enough'; readonly spent: LaneState['spent']; readonly isNearBudget: boolean }
  | { readonly kind: 'short'; readonly reason: string };

export function insufficientFunds({ balance }: SignerFeeData): Error {
  return new Error(`insufficient funds: ${formatEther(balance)} on the key's account`);
}

/** Checks whether the lane can pay for one more transaction at worst. Each unmined transaction may cost as much. */
export function checkFunds(
  { state, feeData, gasLimit }: Pick<TransactionDraft, 'state' | 'feeData' | 'gasLimit'>,
  { maxFeePerGas }: Fees,
  settings: ChainSettings,
  now: Date,
): FundsCheck {
  const cost = gasLimit * maxFeePerGas + rollupFeeOf(feeData, gasLimit);
  const unmined = BigInt(state.nextNonce - state.minedNonce);
  if (feeData.balance < cost * (unmined + 1n)) {
    return { kind: 'short', reason: insufficientFunds(feeData).message };
  }
  const spent = spentWith(state, cost, now);
  if (!isOverBudget(spent, settings))
    return { kind: 'enough', spent, isNearBudget: isOverBudget(spent, settings, 4n) };
  return { kind: 'short', reason: `fee budget of ${settings.dailyFeeBudget} a day is used up` };
}
