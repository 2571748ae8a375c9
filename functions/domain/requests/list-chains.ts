import { type Address, zeroAddress, zeroHash } from 'viem';
import { findSignerList } from '../lane/signers.ts';
import type { Services } from '../services.ts';
import type { ChainSettings } from '../settings.ts';
import { chosenDelegate } from './delegation.ts';

/** A chain with all that a publisher needs to know to delegate on it. */
export interface ServedChain {
  readonly chainId: number;
  readonly name: string;
  readonly registryAddress: Address;
  /** The authority's delegate, if that is one of the service's; else the delegate to choose. */
  readonly delegateAddress: Address;
  /** State at the newest block; null when the chain cannot be reached. */
  readonly delegationActive: boolean | null;
  readonly explorerUrl?: string | undefined;
}

/** Lists the chains served, in the order of the settings, with one authority's delegation on each. */
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

/** Reads the authority's delegate. Throws nothing: one chain that cannot be asked must not hide the others. */
async function delegateNow(
  { chain, log }: Services,
  { chainId, registryAddress }: ChainSettings,
  authorityAddress: Address,
): Promise<Address | undefined> {
  try {
    // The digest is of no content: only the authority's delegate is wanted.
    const query = { registryAddress, authorityAddress, digest: zeroHash };
    return (await chain(chainId).registry.registryState(query)).delegateAddress;
  } catch (error) {
    log.error('delegation not read', error, { chainId });
    return undefined;
  }
}
