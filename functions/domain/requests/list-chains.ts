import { type Address, zeroAddress, zeroHash } from 'viem';
import { findSignerList } from '../lane/signers.ts';
import type { Services } from '../services.ts';
import type { ChainSettings } from '../settings.ts';
import { chosenDelegate } from './delegation.ts';

/** What a publisher needs to know of a chain to delegate on it. */
export interface ServedChain {
  readonly chainId: number;
  readonly name: string;
  readonly registryAddress: Address;
  /** Whom the authority delegates to, if that is one of the service's; else whom to delegate to. */
  readonly delegateAddress: Address;
  /** At the newest block; null when the chain cannot be reached. */
  readonly delegationActive: boolean | null;
  readonly explorerUrl?: string | undefined;
}

/** The chains served, in the order of the settings, as they are for one authority. */
export function listChains(services: Services, authorityAddress: Address): Promise<ServedChain[]> {
  return Promise.all(
    services.settings.chains.map((chain) => describeChain(services, chain, authorityAddress)),
  );
}

async function describeChain(
  services: Services,
  settings: ChainSettings,
  authorityAddress: Address,
): Promise<ServedChain> {
  const { chainId, name, registryAddress, explorerUrl } = settings;
  const [chosen, signers] = await Promise.all([
    delegateNow(services, settings, authorityAddress),
    findSignerList(services.records, chainId),
  ]);
  const { delegateAddress, active } = await chosenDelegate(services, settings, chosen ?? zeroAddress, {
    signers,
  });
  const delegationActive = chosen === undefined ? null : active;
  return { chainId, name, registryAddress, delegateAddress, delegationActive, explorerUrl };
}

/** One chain that cannot be asked must not hide the others. */
async function delegateNow(
  { chain, log }: Services,
  { chainId, registryAddress }: ChainSettings,
  authorityAddress: Address,
): Promise<Address | undefined> {
  try {
    // Of no content: whom the authority delegates to is all that is wanted.
    const query = { registryAddress, authorityAddress, digest: zeroHash };
    return (await chain(chainId).registry.registryState(query)).delegateAddress;
  } catch (error) {
    log.error('delegation not read', error, { chainId });
    return undefined;
  }
}
