import { zeroAddress } from 'viem';
import { finalEntry } from '../attestation/final-entry.ts';
import type { AttestationTarget, ContentIdentity } from '../attestation/new-attestation.ts';
import { entryFields } from '../attestation/refresh-entry.ts';
import type { Chain, RegistryState } from '../chain.ts';
import { ContentRevokedError, DelegationInactiveError } from '../errors.ts';
import type { SignerList } from '../lane/signers.ts';
import type { Services } from '../services.ts';
import { registriesOf } from '../settings.ts';
import {
  currentDelegation,
  delegationOn,
  isRevokedSigner,
  type StoredDelegation,
  storeDelegation,
} from './delegation.ts';

/** State that determines whether a request is accepted. */
interface KnownState {
  /** State of each of the chain's registries, or the error of reading them. */
  readonly registryStates: readonly RegistryState[] | Error;
  /** The last known active delegation. It is enough while the chain is unreachable. */
  readonly lastDelegation: StoredDelegation | undefined;
  /** The chain's signers, if one was added or revoked. */
  readonly signers: SignerList | undefined;
}

/** Finds where to attest the content. @throws ContentRevokedError, DelegationInactiveError, ChainUnreachableError */
export async function findTarget(
  services: Services,
  chain: Chain,
  identity: ContentIdentity,
  { registryStates, lastDelegation, signers }: KnownState,
): Promise<AttestationTarget> {
  const { settings } = chain;
  const registries = registriesOf(settings);
  if (registryStates instanceof Error) {
    const isServed = registries.some(
      (registry) => registry.registryAddress === lastDelegation?.registryAddress,
    );
    if (!lastDelegation || !isServed || isRevokedSigner(signers, lastDelegation.delegateAddress))
      throw registryStates;
    return lastDelegation;
  }
  const delegates = registryStates.map(({ delegateAddress }) => delegateAddress);
  const known = { lastDelegation, signers };
  const current = await currentDelegation(services, settings, delegates, known);
  await storeDelegation(services, identity, lastDelegation, current);
  const { registryAddress, delegateAddress, active } = current;
  const index = registryStates.findIndex(({ attestationIndex }) => attestationIndex > 0);
  const attestedRegistry = registries[index];
  // Another registry's forwarder would call its own registry, where the index belongs to another attestation.
  if (attestedRegistry)
    return attestedTarget(
      services,
      identity,
      await delegationOn(services, attestedRegistry, delegates[index] ?? zeroAddress, known),
    );
  if (!active) throw new DelegationInactiveError(identity.chainId);
  return { registryAddress, delegateAddress };
}

/** Attested content needs no delegation. If the entry is not final yet, the workflow handles it. */
async function attestedTarget(
  services: Services,
  identity: ContentIdentity,
  { registryAddress, delegateAddress }: AttestationTarget,
): Promise<AttestationTarget> {
  const target = { registryAddress, delegateAddress };
  const entry = await finalEntry(services, { ...identity, registryAddress });
  if (entry.attestationIndex === 0) return target;
  const { attestationIndex, confirmedAt, revokedAt } = entryFields(entry);
  if (revokedAt !== undefined) throw new ContentRevokedError(identity.chainId);
  return { ...target, attested: { attestationIndex, confirmedAt } };
}
