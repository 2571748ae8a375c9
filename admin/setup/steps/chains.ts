import { isDeployed } from 'imprimatur-contracts/deploy/deploy-contract';
import { type ContractDeployment, create2ProxyAddress } from 'imprimatur-contracts/deploy/deployment';
import { forwarderDeployment } from 'imprimatur-contracts/deploy/forwarder-deployment';
import { registryDeployment } from 'imprimatur-contracts/deploy/registry-deployment';
import { isAddressEqual } from 'viem';
import { getCode } from 'viem/actions';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { rpcUrlsPath } from '../../../functions/domain/settings-changes.ts';
import { CommandFailedError } from '../../terminal/errors.ts';
import { adminIn } from '../answers.ts';
import { done, newestForwarder, type Setup, type Step } from '../step.ts';

/** Stores the RPC URLs, after a check that no provider serves another chain. */
export const rpcUrlsStep = (settings: ChainSettings): Step => ({
  name: `RPC URLs of ${settings.name}`,
  look: async ({ account, answers, changes, chain }) => {
    const { chainId } = settings;
    const name = `${rpcUrlsPath(account.stackName)}/${chainId}`;
    const type = await account.parameterType(name);
    const { urls, silent } = await chain(settings);
    const note = silent.map((provider) => `; ${provider} does not respond`).join('');
    if (type !== undefined) return done(`in the SSM parameter ${name}${note}`);
    return {
      ...{
        state: 'to do',
        text: `${urls.length + silent.length} in the SSM parameter ${name}, encrypted${note}`,
      },
      act: async () => changes.putRpcUrls(name, await answers.rpcUrls(chainId)),
    };
  },
});

const noProxy =
  `The chain has no CREATE2 proxy at ${create2ProxyAddress}, through which contracts are deployed. Deploy it as ` +
  'github.com/Arachnid/deterministic-deployment-proxy describes.';

/** Approximate gas of both deployments. */
const deploymentGas = '3 million gas';

export const contractsStep = (settings: ChainSettings): Step => ({
  name: `contracts on ${settings.name}`,
  look: async (setup) => {
    const { answers, changes } = setup;
    const chain = await setup.chain(settings);
    const missing = await missingContracts(setup, settings);
    if (missing.length === 0)
      return done(`the registry ${settings.registryAddress}${forwarderText(settings)}`);
    const text = missing.map(({ contractName, address }) => `${contractName} at ${address}`).join(', ');
    if (!(await getCode(chain.client, { address: create2ProxyAddress })))
      return { state: 'waiting', text, instructions: noProxy };
    const payer = await answers.payer();
    if (!payer) {
      const instructions = `Deploy ${text}. For the command, see npm run deploy --workspace contracts -- --help.`;
      return { state: 'waiting', text, instructions };
    }
    return {
      ...{ state: 'to do', text, cost: deploymentGas },
      act: async () => {
        for (const { proxyCalldata: data } of missing)
          await changes.send(chain, { from: payer, to: create2ProxyAddress, data });
      },
    };
  },
});

function forwarderText(settings: ChainSettings): string {
  const forwarder = newestForwarder(settings);
  return forwarder === undefined ? '' : ` and the forwarder ${forwarder}`;
}

/**
 * The contracts that have no code, in the order of their deployment.
 * @throws CommandFailedError for addresses without code at which this version deploys no contract
 */
async function missingContracts(
  { chain, answers }: Setup,
  settings: ChainSettings,
): Promise<ContractDeployment[]> {
  const { registryAddress, revealDelaySeconds } = settings;
  const { client } = await chain(settings);
  const registry = registryDeployment(revealDelaySeconds);
  const forwarder = newestForwarder(settings);
  const missing: ContractDeployment[] = [];
  if (isAddressEqual(registryAddress, registry.address)) {
    if (!(await isDeployed(client, registry))) missing.push(registry);
  } else if (!(await getCode(client, { address: registryAddress }))) {
    throw new CommandFailedError(`there is no registry at ${registryAddress} on ${settings.name}`);
  }
  if (forwarder === undefined || (await getCode(client, { address: forwarder }))) return missing;
  const admin = await adminIn(answers);
  const planned = admin && forwarderDeployment(registryAddress, admin);
  if (!planned || !isAddressEqual(planned.address, forwarder))
    throw new CommandFailedError(
      `there is no forwarder at ${forwarder} on ${settings.name}, and one with the admin ${admin ?? '(none)'} ` +
        'would have another address; fix forwarderAdmin, or `delegates` in the environment',
    );
  return [...missing, planned];
}
