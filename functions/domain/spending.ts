import { formatEther, parseEther } from 'viem';
import type { LaneState } from './lane.ts';
import type { ChainSettings } from './settings.ts';

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
export function isOverBudget({ wei }: Spent, { dailyFeeBudget }: ChainSettings): boolean {
  return dailyFeeBudget !== undefined && BigInt(wei) > parseEther(dailyFeeBudget.toFixed(18));
}

/** For people: in the chain's own coin. */
export function inCoins(wei: bigint): string {
  return formatEther(wei);
}
