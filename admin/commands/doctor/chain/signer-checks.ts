import { type Address, formatEther } from 'viem';
import { balanceOf } from '../../../../functions/adapters/chain/fee-data.ts';
import type { Rpc } from '../../../../functions/adapters/chain/rpc.ts';
import type { ChainSettings } from '../../../../functions/domain/settings.ts';
import { daysLeft } from '../../../../functions/domain/steps/report-funds.ts';
import { type Finding, ok, problem, warning } from '../finding.ts';

/** Checks the balance of a key that sends, and for how many days it pays at worst. */
export async function checkSigner(rpc: Rpc, settings: ChainSettings, signer: Address): Promise<Finding> {
  const check = 'signer';
  const balance = await balanceOf(rpc, signer);
  const worst =
    settings.dailyFeeBudget === undefined
      ? 'of 30,000,000 gas at the fee cap'
      : `of ${settings.dailyFeeBudget}, the daily budget`;
  if (balance === 0n)
    return problem(
      check,
      `${signer} has no money: nothing is sent`,
      `Send money to it; a day at worst is one ${worst}.`,
    );
  const days = daysLeft(settings, balance);
  const says = `${signer} has ${formatEther(balance)}, for ${days.toFixed(1)} days ${worst}`;
  return days < 1 ? warning(check, says, 'Send money to it.') : ok(check, says);
}
