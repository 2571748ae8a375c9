import { delegateForwarderAbi as abi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { renderUnicodeCompact } from 'uqr';
import { type Address, encodeFunctionData, formatEther, isAddressEqual, parseEther } from 'viem';
import { getBalance, getTransactionCount, readContract } from 'viem/actions';
import { gweiToWei } from '../../../functions/domain/amounts.ts';
import { chainSigners } from '../../../functions/domain/lane/signers.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { daysLeft, maxDayCost } from '../../../functions/domain/steps/report-funds.ts';
import { adminCall, adminCallText } from '../../commands/signer/admin-calls.ts';
import type { Deployment } from '../../deployment/connect.ts';
import { UsageInvalidError } from '../../terminal/errors.ts';
import { done, later, newestForwarder, type Setup, type Step } from '../step.ts';

/** Gas of ten single attestations through a forwarder, in docs/costs.md: enough to begin. */
const leastGas = 1_630_000n;

const days = 30n;

async function activeSigner(deployment: Deployment, chainId: number): Promise<Address> {
  const signers = await chainSigners(await deployment.services(), chainId);
  return signers.find(({ state }) => state === 'active')?.address ?? (await deployment.signerAddress());
}

/**
 * Asks as early as the first plan, because no question should come after the first change.
 * @throws UsageInvalidError for too few coins
 */
async function askFunds({ answers }: Setup, chain: ChainSettings, least: bigint) {
  const payer = await answers.payer();
  const coins = payer && (await answers.signerFunds(chain, least, worstCost(chain)));
  // `String` could return 1e-7.
  const value = coins === undefined ? undefined : parseEther(coins.toFixed(9));
  if (value !== undefined && value < least)
    throw new UsageInvalidError(
      `signerFunds: ${coins} is too little on ${chain.name}; the signing key needs at least ${formatEther(least)}`,
    );
  return { payer, value };
}

function worstCost(settings: ChainSettings): string {
  const day = maxDayCost(settings);
  return `at most ${formatEther(day)} coins a day and ${formatEther(day * days)} a month`;
}

export const fundsStep = (settings: ChainSettings): Step => ({
  name: `funds on ${settings.name}`,
  look: async (setup) => {
    const cost = worstCost(settings);
    const least = leastGas * gweiToWei(settings.maxFeePerGasGwei);
    const deployment = await setup.deployment();
    if (!deployment) {
      await askFunds(setup, settings, least);
      return later('coins for the signing key', cost);
    }
    const address = await activeSigner(deployment, settings.chainId);
    const chain = await setup.chain(settings);
    const balance = await getBalance(chain.client, { address });
    const missing = least - balance;
    const text = `${address} has ${formatEther(balance)}, enough for ${daysLeft(settings, balance).toFixed(1)} days at worst`;
    if (missing <= 0n) return done(text);
    // A key that has sent transactions is in use. Setup pays only for the start.
    if ((await getTransactionCount(chain.client, { address })) > 0) return done(`${text}; send coins to it`);
    const { payer, value } = await askFunds(setup, settings, missing);
    if (payer && value !== undefined)
      return {
        ...{
          state: 'to do',
          text: `${formatEther(value)} of the chain's coin, from ${payer.address} to the signing key ${address}`,
          cost,
        },
        act: () => setup.changes.send(chain, { from: payer, to: address, value }),
      };
    const instructions =
      `Send at least ${formatEther(missing)} coins to ${address} on ${settings.name}. Its transactions cost ${cost}.\n` +
      renderUnicodeCompact(`ethereum:${address}@${settings.chainId}`, { border: 2 });
    return { state: 'waiting', text: `coins for the signing key ${address}`, instructions };
  },
});

/** Makes the signing key an operator of the forwarder. */
export const operatorStep = (settings: ChainSettings): Step => ({
  name: `operator on ${settings.name}`,
  look: async (setup) => {
    const forwarder = newestForwarder(settings);
    if (forwarder === undefined) return done('not needed: authorities delegate to the signing key');
    const deployment = await setup.deployment();
    if (!deployment) return later(`the signing key becomes an operator of the forwarder ${forwarder}`);
    const address = await activeSigner(deployment, settings.chainId);
    const chain = await setup.chain(settings);
    const isOperator = await readContract(chain.client, {
      ...{ abi, address: forwarder, functionName: 'isOperator', args: [address] },
    });
    if (isOperator) return done(`${address} is an operator of the forwarder ${forwarder}`);
    const admin = await readContract(chain.client, { abi, address: forwarder, functionName: 'admin' });
    const text = `${address} becomes an operator of the forwarder ${forwarder}`;
    const payer = await setup.answers.payer();
    if (payer && isAddressEqual(payer.address, admin)) {
      const data = encodeFunctionData({ abi, functionName: 'addOperator', args: [address] });
      const send = () => setup.changes.send(chain, { from: payer, to: forwarder, data });
      return { state: 'to do', text, cost: '50,000 gas', act: send };
    }
    const instructions = adminCallText(adminCall('addOperator', forwarder, address));
    return { state: 'waiting', text: `${text}, by its admin ${admin}`, instructions };
  },
});
