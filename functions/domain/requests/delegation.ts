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
  /** Whether the authority delegates to this delegate and it may send. */
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

interface StoredState {
  readonly lastDelegation?: Pick<Delegation, 'delegateAddress'> | undefined;
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
export async function currentDelegation(
  services: Services,
  settings: ChainSettings,
  chosen: readonly Address[],
  known: StoredState,
): Promise<Delegation> {
  const [newest, ...former] = registriesOf(settings);
  const [onNewest = zeroAddress, ...onFormer] = chosen;
  const first = await delegationOn(services, newest, onNewest, known);
  if (first.active) return first;
  const others = former.map((registry, index) =>
    delegationOn(services, registry, onFormer[index] ?? zeroAddress, known),
  );
  return (await Promise.all(others)).find(({ active }) => active) ?? first;
}

/** Returns the authority's delegate on a registry if it is the service's, otherwise the delegate to choose. */
export async function delegationOn(
  services: Services,
  { registryAddress, delegates }: RegistrySettings,
  chosen: Address,
  { lastDelegation, signers }: StoredState,
): Promise<Delegation> {
  const make = (delegateAddress: Address, active: boolean) => ({ registryAddress, delegateAddress, active });
  const forwarders = delegates.filter((delegate) => delegate !== 'key');
  if (forwarders.includes(chosen)) return make(chosen, true);
  const [forwarder] = forwarders;
  if (forwarder && !delegates.includes('key')) return make(forwarder, false);
  const keyAddress = await readKeyAddress(services, lastDelegation?.delegateAddress);
  const isRevoked = isRevokedSigner(signers, keyAddress);
  const prefersForwarder = isRevoked || (keyAddress !== chosen && delegates[0] !== 'key');
  if (forwarder && prefersForwarder) return make(forwarder, false);
  return make(keyAddress, keyAddress === chosen && !isRevoked);
}

/** Returns the key's address. If KMS fails, returns the last known delegate instead. */
async function readKeyAddress(services: Services, lastAddress: Address | undefined): Promise<Address> {
  try {
    return (await services.signer()).address;
  } catch (error) {
    if (lastAddress) return lastAddress;
    throw error;
  }
}

export function delegationRecord(organizationId: string, chainId: number): Key {
  return { table: 'attestations', pk: `${organizationId}#${chainId}`, sk: 'delegation' };
}

const delegationForm = formOf({ delegateAddress: address, registryAddress: address });

export type StoredDelegation = z.output<typeof delegationForm>;

export function parseDelegation(fields: Fields): StoredDelegation {
  return parseRecord('delegation', delegationForm, fields);
}

/** Stores the current delegation if it changed. A failure does not fail the request. */
export async function storeDelegation(
  { records, log }: Services,
  { organizationId, chainId }: { organizationId: string; chainId: number },
  lastDelegation: StoredDelegation | undefined,
  { registryAddress, delegateAddress, active }: Delegation,
): Promise<void> {
  const isSame =
    lastDelegation?.registryAddress === registryAddress && lastDelegation.delegateAddress === delegateAddress;
  if (active ? isSame : lastDelegation === undefined) return;
  const key = delegationRecord(organizationId, chainId);
  try {
    await records.update(active ? { key, put: { registryAddress, delegateAddress } } : { key, remove: true });
  } catch (error) {
    log.error('delegation not stored', error, { organizationId, chainId });
  }
}
