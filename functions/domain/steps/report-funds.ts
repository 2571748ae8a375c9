import { coinsToWei, gweiToWei } from '../amounts.ts';
import type { Chain } from '../chain.ts';
import { laneName } from '../lane/lane.ts';
import type { ChainSigner } from '../lane/signers.ts';
import { defaultBudgetGas } from '../organization/fee-usage.ts';
import type { Services } from '../services.ts';
import { type ChainSettings, registriesOf } from '../settings.ts';

/** Reports for how many days the account of each signer that sends can pay in the worst case. */
export async function reportFunds(
  { log }: Pick<Services, 'log'>,
  chain: Chain,
  signers: readonly ChainSigner[],
): Promise<void> {
  const { chainId } = chain.settings;
  const sending = signers.filter((signer) => isSending(chain.settings, signer));
  await Promise.all(
    sending.map(async ({ address }) => {
      const left = daysLeft(chain.settings, await chain.balance(address));
      log.info('funds checked', { chainId, lane: laneName(chainId, address), daysLeft: left });
    }),
  );
}

/** Computes the days for which a balance in wei can pay in the worst case. */
export function daysLeft(settings: ChainSettings, balance: bigint): number {
  // Thousandths of a day fit in a number; wei do not.
  return Number((balance * 1000n) / maxDayCost(settings)) / 1000;
}

/** Computes the maximum cost of a lane's day in wei: its budget, or else 200 attestations at the fee cap. */
export function maxDayCost({ dailyFeeBudget, maxFeePerGasGwei }: ChainSettings): bigint {
  if (dailyFeeBudget !== undefined) return coinsToWei(dailyFeeBudget);
  return defaultBudgetGas * gweiToWei(maxFeePerGasGwei);
}

/** Whether a signer sends: the active one does, and the stack's replaced key if authorities may delegate to it. */
export function isSending(settings: ChainSettings, { state, keyId }: ChainSigner): boolean {
  const isDelegate = registriesOf(settings).some(({ delegates }) => delegates.includes('key'));
  return state === 'active' || (state === 'draining' && keyId === undefined && isDelegate);
}
