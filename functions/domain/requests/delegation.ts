import { type Address, zeroAddress } from 'viem';
import type * as z from 'zod';
import type { Chain, ContentUnderAuthority, RegistryState } from '../chain.ts';
import type { SignerList } from '../lane/signers.ts';
import type { Fields, Key } from '../records.ts';
import type { Services } from '../services.ts';
import { type ChainSettings, type RegistrySettings, registriesOf } from '../settings.ts';
import { address, formOf, parseRecord } from '../stored-record.ts';

/** A registry, and the delegate that an authority has there, or is to choose. */
export interface Delegation {
  readonly registryAddress: Address;
  readonly delegateAddress: Address;
  /** Whether the authority's delegation is to it, and it may send. */
  readonly active: boolean;
}

/** Reads what each registry of a chain shows of a content under an authority, newest registry first. */
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
  /** A delegate that was seen active. */
  readonly remembered?: Pick<Delegation, 'delegateAddress'> | undefined;
  /** The chain's record of its signers, if it has one. */
  readonly signers: SignerList | undefined;
}

/** Whether the address is of a key that was revoked: an authority that delegates to it has to choose another. */
export function isRevokedSigner(list: SignerList | undefined, address: Address): boolean {
  const signers = list?.signers ?? [];
  return signers.some((signer) => signer.address === address && signer.state === 'revoked');
}

/**
 * The delegation on the newest registry where the authority chose one of the service's delegates; else the one to make, on the newest.
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

/** The delegation on one registry: to the delegate of the settings that the authority chose, else to the one to delegate to. */
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

/** The key's address; while KMS cannot tell it, the one that was delegated to before is as good. */
async function ownAddress(services: Services, remembered: Address | undefined): Promise<Address> {
  try {
    return (await services.signer()).address;
  } catch (error) {
    if (remembered) return remembered;
    throw error;
  }
}

/** Key of the delegation last seen active, so that an unreachable chain does not stop a publisher. */
export function knownDelegationRecord(organizationId: string, chainId: number): Key {
  return { table: 'attestations', pk: `${organizationId}#${chainId}`, sk: 'delegation' };
}

/** A delegation that was active when the chain was last asked. */
const delegationForm = formOf({ delegateAddress: address, registryAddress: address });

export type RememberedDelegation = z.output<typeof delegationForm>;

/** Returns the delegation that the record remembers. @throws RecordInvalidError */
export function rememberedDelegation(fields: Fields): RememberedDelegation {
  return parseRecord('delegation', delegationForm, fields);
}

/** Stores what the chain shows now, if that is news. No request fails because it could not be stored. */
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
