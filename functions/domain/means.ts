import type { Proposal } from './bind.ts';
import type { Fees, LaneState } from './lane.ts';
import type { Market } from './ports.ts';
import type { ChainSettings } from './settings.ts';
import { inCoins, isOverBudget, spentWith } from './spending.ts';

/** What a lane has: money on its key's account, and a budget for the day. */
export type Means =
  | { readonly kind: 'enough'; readonly spent: LaneState['spent'] }
  | { readonly kind: 'short'; readonly reason: string };

export function insufficientFunds({ balance }: Market): Error {
  return new Error(`insufficient funds: ${inCoins(balance)} on the key's account`);
}

/** Whether the lane may pay for one more transaction, at worst. Those unmined may each take as much. */
export function meansFor(
  { state, market, gasLimit }: Pick<Proposal, 'state' | 'market' | 'gasLimit'>,
  { maxFeePerGas }: Fees,
  settings: ChainSettings,
  now: Date,
): Means {
  const cost = gasLimit * maxFeePerGas;
  const unmined = BigInt(state.nextNonce - state.minedNonce);
  if (market.balance < cost * (unmined + 1n)) {
    return { kind: 'short', reason: insufficientFunds(market).message };
  }
  const spent = spentWith(state, cost, now);
  if (!isOverBudget(spent, settings)) return { kind: 'enough', spent };
  return { kind: 'short', reason: `fee budget of ${settings.dailyFeeBudget} a day is used up` };
}
