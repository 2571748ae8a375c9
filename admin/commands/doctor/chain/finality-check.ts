import type { Address } from 'viem';
import { finalViews } from '../../../../functions/adapters/chain/final-view.ts';
import { blockAgeSeconds } from '../../../../functions/domain/age-limits.ts';
import { durationText } from '../../../../functions/domain/operator/duration-text.ts';
import { type ChainSettings, finalitySeconds } from '../../../../functions/domain/settings.ts';
import { type Finding, ok, problem, warning } from '../finding.ts';
import type { Provider } from './providers.ts';

/** Factor on the usual time to finality above which finality is late. */
const lateFactor = 3;

/** Checks that each provider shows the final block and the state at it, without which nothing is ever confirmed. */
export async function checkFinality(
  settings: ChainSettings,
  providers: readonly Provider[],
  account: Address,
  now: Date,
): Promise<Finding> {
  const check = 'finality';
  const { confirmations } = settings;
  const looks = await Promise.all(providers.map((provider) => lookAtFinal(settings, provider, account)));
  const failed = looks.flatMap(({ provider, failure }) => (failure ? [`${provider.name}: ${failure}`] : []));
  const todo =
    confirmations === 'finalized'
      ? 'Use a provider that keeps the state of final blocks (an archive), or a number of `confirmations`.'
      : 'Use a provider that keeps the state of so many blocks, or lower `confirmations`.';
  const says = `final state is not shown by ${failed.join('; ')}`;
  if (failed.length === looks.length) return problem(check, says, todo);
  if (failed.length > 0) return warning(check, says, todo);
  const age = Math.min(...looks.flatMap(({ block }) => (block ? [blockAgeSeconds(block, now)] : [])));
  const usual = finalitySeconds(settings);
  const rule =
    confirmations === 'finalized' ? 'consensus' : `${confirmations} block${confirmations === 1 ? '' : 's'}`;
  const shown = `by ${rule}; the newest final block is ${durationText(age)} old, usual are ${durationText(Math.round(usual))}`;
  if (age > lateFactor * Math.max(usual, 60))
    return warning(check, shown, 'Attestations are confirmed late: compare with an explorer, and wait.');
  return ok(check, shown);
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
