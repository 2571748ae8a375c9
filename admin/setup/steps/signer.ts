import { delegateForwarderAbi as abi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { renderUnicodeCompact } from 'uqr';
import { type Address, encodeFunctionData, formatEther, isAddressEqual, parseEther } from 'viem';
import { getBalance, readContract } from 'viem/actions';
import { gweiToWei } from '../../../functions/domain/amounts.ts';
import { chainSigners } from '../../../functions/domain/lane/signers.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { daysLeft, maxDayCost } from '../../../functions/domain/steps/report-funds.ts';
import { adminCall, adminCallText } from '../../commands/signer/admin-calls.ts';
import type { Deployment } from '../../deployment/connect.ts';
import { done, later, newestForwarder, type Setup, type Step } from '../step.ts';

/** Gas of ten single attestations through a forwarder, in docs/costs.md: enough to begin. */
const leastGas = 1_630_000n;

const days = 30n;

async function activeSigner(deployment: Deployment, chainId: number): Promise<Address> {
  const signers = await chainSigners(await deployment.services(), chainId);
  return signers.find(({ state }) => state === 'active')?.address ?? (await deployment.signerAddress());
}

/** Asks already in the first plan, because no question should come after the first change. */
async function askFunds({ answers }: Setup) {
  const payer = await answers.payer();
  return { payer, coins: payer && (await answers.signerFunds()) };
}

export const fundsStep = (settings: ChainSettings): Step => ({
  name: `funds on ${settings.name}`,
  look: async (setup) => {
    const day = maxDayCost(settings);
    const atWorst = `at most ${formatEther(day)} coins a day and ${formatEther(day * days)} a month`;
    const deployment = await setup.deployment();
    if (!deployment) {
      await askFunds(setup);
      return later('coins for the signing key', atWorst);
    }
    const address = await activeSigner(deployment, settings.chainId);
    const chain = await setup.chain(settings);
    const balance = await getBalance(chain.client, { address });
    const least = leastGas * gweiToWei(settings.maxFeePerGasGwei);
    if (balance >= least)
      return done(
        `${address} has ${formatEther(balance)}, for ${daysLeft(settings, balance).toFixed(1)} days at worst`,
      );
    const { payer, coins } = await askFunds(setup);
    const value = parseEther(String(coins ?? 0));
    if (payer && value >= least - balance)
      return {
        ...{
          state: 'to do',
          text: `${coins} of the chain's coin, from ${payer.address} to the signing key ${address}`,
          cost: atWorst,
        },
        act: () => setup.changes.send(chain, { from: payer, to: address, value }),
      };
    const instructions =
      `Send at least ${formatEther(least - balance)} coins to ${address} on ${settings.name}. It costs ${atWorst}.\n` +
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
