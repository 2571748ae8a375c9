import type { Address } from 'viem';
import { ExpectedError } from '../../../functions/domain/errors.ts';
import {
  type ChainSettings,
  type RegistrySettings,
  registriesOf,
} from '../../../functions/domain/settings.ts';
import type { Deployment } from '../../deployment/command.ts';
import { delegateAddresses } from '../../deployment/served-chain.ts';

/** Reads an authority's delegation at the newest block: on the newest registry where it is active, or else on the newest registry. */
export async function readDelegation(
  deployment: Deployment,
  settings: ChainSettings,
  authorityAddress: Address,
) {
  const [chain, keyAddress] = await Promise.all([deployment.chain(settings), deployment.signerAddress()]);
  const [newest, ...former] = registriesOf(settings);
  const readOn = async (registry: RegistrySettings) => {
    const { registryAddress } = registry;
    const delegates = delegateAddresses(registry, keyAddress);
    const delegateAddress = await chain.delegateOf(registryAddress, authorityAddress);
    const active = delegateAddress !== null && delegates.includes(delegateAddress);
    // Any delegate of the service is valid. A new authority should use the newest delegate.
    const expectedDelegateAddress = (active ? delegateAddress : delegates[0]) ?? keyAddress;
    return { registryAddress, delegateAddress, expectedDelegateAddress, active };
  };
  const [first, ...others] = await Promise.all([readOn(newest), ...former.map(readOn)]);
  return [first, ...others].find(({ active }) => active) ?? first;
}

export type ChainDelegation = Awaited<ReturnType<typeof readDelegations>>[number];

export async function readDelegations(deployment: Deployment, authorityAddress: Address) {
  const { chains } = await deployment.settings();
  return Promise.all(
    chains.map(async (settings) => {
      const { chainId, name } = settings;
      const delegation = await readDelegation(deployment, settings, authorityAddress).catch(unreadable);
      return { chainId, name, error: null, ...delegation };
    }),
  );
}

function unreadable(error: unknown) {
  // The message of an expected error is written for the operator and holds no RPC URL.
  if (!(error instanceof ExpectedError)) throw error;
  const addresses = { registryAddress: null, delegateAddress: null, expectedDelegateAddress: null };
  return { ...addresses, active: null, error: error.message };
}
