import { type Address, formatEther } from 'viem';
import { balanceOf } from '../../../../functions/adapters/chain/fee-data.ts';
import { finalViews } from '../../../../functions/adapters/chain/final-view.ts';
import type { Rpc } from '../../../../functions/adapters/chain/rpc.ts';
import { blockAgeSeconds, durationText } from '../../../../functions/domain/age-limits.ts';
import { type ChainSettings, finalitySeconds } from '../../../../functions/domain/settings.ts';
import { daysLeft } from '../../../../functions/domain/steps/report-funds.ts';
import { type Outcome, ok, problem, warning } from '../report.ts';
import type { Provider } from './providers.ts';

/** Factor on the usual time to finality above which finality is late. */
const lateFactor = 3;

/** Checks that each provider shows the final block and the state at it, without which nothing is ever confirmed. */
export async function checkFinality(
  settings: ChainSettings,
  providers: readonly Provider[],
  account: Address,
  now: Date,
): Promise<Outcome> {
  const { confirmations } = settings;
  const looks = await Promise.all(providers.map((provider) => lookAtFinal(settings, provider, account)));
  const failed = looks.flatMap(({ provider, failure }) => (failure ? [`${provider.name}: ${failure}`] : []));
  const todo =
    confirmations === 'finalized'
      ? 'Use a provider that keeps the state of final blocks (an archive), or a number of `confirmations`.'
      : 'Use a provider that keeps the state of so many blocks, or lower `confirmations`.';
  const says = `final state is not shown by ${failed.join('; ')}`;
  if (failed.length === looks.length) return problem(says, todo);
  if (failed.length > 0) return warning(says, todo);
  const age = Math.min(...looks.flatMap(({ block }) => (block ? [blockAgeSeconds(block, now)] : [])));
  const usual = finalitySeconds(settings);
  const rule =
    confirmations === 'finalized' ? 'consensus' : `${confirmations} block${confirmations === 1 ? '' : 's'}`;
  const shown = `by ${rule}; the newest final block is ${durationText(age)} old, usual are ${durationText(Math.round(usual))}`;
  if (age > lateFactor * Math.max(usual, 60))
    return warning(shown, 'Attestations are confirmed late: compare with an explorer, and wait.');
  return ok(shown);
}

async function lookAtFinal({ confirmations }: ChainSettings, provider: Provider, account: Address) {
  try {
    const view = await finalViews(confirmations)(provider.rpc);
    await view.minedCount(account);
    return { provider, block: view.block };
  } catch (error) {
    return { provider, failure: provider.failure(error) };
  }
}

/** Checks the balance of a key that sends, and for how many days it pays at worst. */
export async function checkSigner(rpc: Rpc, settings: ChainSettings, signer: Address): Promise<Outcome> {
  const balance = await balanceOf(rpc, signer);
  const worst =
    settings.dailyFeeBudget === undefined
      ? 'of 30,000,000 gas at the fee cap'
      : `of ${settings.dailyFeeBudget}, the daily budget`;
  if (balance === 0n)
    return problem(
      `${signer} has no money: nothing is sent`,
      `Send money to it; a day at worst is one ${worst}.`,
    );
  const days = daysLeft(settings, balance);
  const says = `${signer} has ${formatEther(balance)}, for ${days.toFixed(1)} days ${worst}`;
  return days < 1 ? warning(says, 'Send money to it.') : ok(says);
}
