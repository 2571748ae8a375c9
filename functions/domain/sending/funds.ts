import { formatEther, parseEther } from 'viem';
import type { Fees, SignerFeeData } from '../chain.ts';
import type { LaneState } from '../lane/lane.ts';
import type { ChainSettings } from '../settings.ts';
import type { TransactionDraft } from './assign-nonce.ts';

type Spent = NonNullable<LaneState['spent']>;

/** In UTC, YYYY-MM-DD: what a budget is for. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** What was spent today (UTC) with this amount of wei more, or less; a new day begins at zero. */
export function spentWith({ spent }: Pick<LaneState, 'spent'>, wei: bigint, now: Date): Spent {
  const day = dayOf(now);
  const before = spent?.day === day ? BigInt(spent.wei) : 0n;
  const after = before + wei;
  return { day, wei: String(after > 0n ? after : 0n) };
}

/** Whether that is more than the lane may spend in a day. */
function isOverBudget({ wei }: Spent, { dailyFeeBudget }: ChainSettings): boolean {
  return dailyFeeBudget !== undefined && BigInt(wei) > parseEther(dailyFeeBudget.toFixed(18));
}

/** For people: in the chain's own coin. */
export function inCoins(wei: bigint): string {
  return formatEther(wei);
}

/** What a lane has: money on its key's account, and a budget for the day. */
export type FundsCheck =
  | { readonly kind: 'enough'; readonly spent: LaneState['spent'] }
  | { readonly kind: 'short'; readonly reason: string };

export function insufficientFunds({ balance }: SignerFeeData): Error {
  return new Error(`insufficient funds: ${inCoins(balance)} on the key's account`);
}

/** Whether the lane may pay for one more transaction, at worst. Those unmined may each take as much. */
export function checkFunds(
  { state, feeData, gasLimit }: Pick<TransactionDraft, 'state' | 'feeData' | 'gasLimit'>,
  { maxFeePerGas }: Fees,
  settings: ChainSettings,
  now: Date,
): FundsCheck {
  const cost = gasLimit * maxFeePerGas;
  const unmined = BigInt(state.nextNonce - state.minedNonce);
  if (feeData.balance < cost * (unmined + 1n)) {
    return { kind: 'short', reason: insufficientFunds(feeData).message };
  }
  const spent = spentWith(state, cost, now);
  if (!isOverBudget(spent, settings)) return { kind: 'enough', spent };
  return { kind: 'short', reason: `fee budget of ${settings.dailyFeeBudget} a day is used up` };
}
