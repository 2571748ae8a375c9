import { type Address, zeroAddress } from 'viem';
import type * as z from 'zod';
import type { Chain, ContentUnderAuthority, RegistryState } from '../chain.ts';
import type { SignerList } from '../lane/signers.ts';
import type { Fields, Key } from '../records.ts';
import type { Services } from '../services.ts';
import { type ChainSettings, type RegistrySettings, registriesOf } from '../settings.ts';
import { address, formOf, parseRecord } from '../stored-record.ts';

/** A registry, and the authority's delegate there or the delegate to choose. */
export interface Delegation {
  readonly registryAddress: Address;
  readonly delegateAddress: Address;
  /** Whether the authority delegates to it and it may send. */
  readonly active: boolean;
}

export function registryStates(
  { registry, settings }: Chain,
  { authorityAddress, digest }: Omit<ContentUnderAuthority, 'registryAddress'>,
): Promise<RegistryState[]> {
  return Promise.all(
    registriesOf(settings).map(({ registryAddress }) =>
      registry.registryState({ authorityAddress, digest, registryAddress }),
    ),
  );
}

interface Known {
  readonly remembered?: Pick<Delegation, 'delegateAddress'> | undefined;
  readonly signers: SignerList | undefined;
}

/** Whether the address belongs to a revoked key. An authority that delegates to it has to choose another. */
export function isRevokedSigner(list: SignerList | undefined, address: Address): boolean {
  const signers = list?.signers ?? [];
  return signers.some((signer) => signer.address === address && signer.state === 'revoked');
}

/**
 * Returns the delegation on the newest registry where the authority chose one of the service's delegates. If there is
 * none, returns the delegation to make, on the newest registry.
 * @param chosen the authority's delegate on each of the chain's registries, the zero address without one
 */
export async function presentDelegation(
  services: Services,
  settings: ChainSettings,
  chosen: readonly Address[],
  known: Known,
): Promise<Delegation> {
  const [newest, ...former] = registriesOf(settings);
  const [onNewest = zeroAddress, ...onFormer] = chosen;
  const first = await delegationOn(services, newest, onNewest, known);
  if (first.active) return first;
  const others = former.map((one, place) =>
    delegationOn(services, one, onFormer[place] ?? zeroAddress, known),
  );
  return (await Promise.all(others)).find(({ active }) => active) ?? first;
}

/** The authority's delegate on a registry if the settings have it, otherwise the delegate to choose. */
export async function delegationOn(
  services: Services,
  { registryAddress, delegates }: RegistrySettings,
  chosen: Address,
  { remembered, signers }: Known,
): Promise<Delegation> {
  const to = (delegateAddress: Address, active: boolean) => ({ registryAddress, delegateAddress, active });
  const forwarders = delegates.filter((delegate) => delegate !== 'key');
  if (forwarders.includes(chosen)) return to(chosen, true);
  const [forwarder] = forwarders;
  if (forwarder && !delegates.includes('key')) return to(forwarder, false);
  const own = await ownAddress(services, remembered?.delegateAddress);
  const isRevoked = isRevokedSigner(signers, own);
  const prefersForwarder = isRevoked || (own !== chosen && delegates[0] !== 'key');
  if (forwarder && prefersForwarder) return to(forwarder, false);
  return to(own, own === chosen && !isRevoked);
}

/** Returns the key's address. If KMS fails, the last known delegate is a substitute. */
async function ownAddress(services: Services, remembered: Address | undefined): Promise<Address> {
  try {
    return (await services.signer()).address;
  } catch (error) {
    if (remembered) return remembered;
    throw error;
  }
}

export function knownDelegationRecord(organizationId: string, chainId: number): Key {
  return { table: 'attestations', pk: `${organizationId}#${chainId}`, sk: 'delegation' };
}

const delegationForm = formOf({ delegateAddress: address, registryAddress: address });

export type RememberedDelegation = z.output<typeof delegationForm>;

export function rememberedDelegation(fields: Fields): RememberedDelegation {
  return parseRecord('delegation', delegationForm, fields);
}

/** Stores the current delegation if it changed. A failure does not fail the request. */
export async function rememberDelegation(
  { records, log }: Services,
  { organizationId, chainId }: { organizationId: string; chainId: number },
  remembered: RememberedDelegation | undefined,
  { registryAddress, delegateAddress, active }: Delegation,
): Promise<void> {
  const isSame =
    remembered?.registryAddress === registryAddress && remembered.delegateAddress === delegateAddress;
  if (active ? isSame : remembered === undefined) return;
  const key = knownDelegationRecord(organizationId, chainId);
  try {
    await records.update(active ? { key, put: { registryAddress, delegateAddress } } : { key, remove: true });
  } catch (error) {
    log.error('delegation not stored', error, { organizationId, chainId });
  }
}
