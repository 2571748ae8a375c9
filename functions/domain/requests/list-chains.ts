import { type Address, zeroHash } from 'viem';
import { findSignerList } from '../lane/signers.ts';
import type { Services } from '../services.ts';
import type { ChainSettings } from '../settings.ts';
import { presentDelegation, registryStates } from './delegation.ts';

/** A chain with all that a publisher needs to know to delegate on it. */
export interface ServedChain {
  readonly chainId: number;
  readonly name: string;
  /** The newest registry that the authority delegated on to one of the service; else the newest of all. */
  readonly registryAddress: Address;
  readonly authorityAddress: Address;
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
  const { chainId, name, explorerUrl } = settings;
  const [chosen, signers] = await Promise.all([
    delegatesNow(services, settings, authorityAddress),
    findSignerList(services.records, chainId),
  ]);
  const { registryAddress, delegateAddress, active } = await presentDelegation(
    services,
    settings,
    chosen ?? [],
    { signers },
  );
  const delegationActive = chosen === undefined ? null : active;
  return {
    ...{ chainId, name, registryAddress, authorityAddress, delegateAddress },
    ...{ delegationActive, explorerUrl },
  };
}

/** The authority's delegate on each registry; `undefined` of a chain that cannot be asked, which must not hide the others. */
async function delegatesNow(
  { chain, log }: Services,
  { chainId }: ChainSettings,
  authorityAddress: Address,
): Promise<Address[] | undefined> {
  try {
    // The digest is of no content: only the authority's delegate is wanted.
    const states = await registryStates(chain(chainId), { authorityAddress, digest: zeroHash });
    return states.map(({ delegateAddress }) => delegateAddress);
  } catch (error) {
    log.error('delegation not read', error, { chainId });
    return undefined;
  }
}
