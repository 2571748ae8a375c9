import { zeroAddress } from 'viem';
import { finalEntry } from '../attestation/final-entry.ts';
import type { AcceptanceTerms, ContentIdentity } from '../attestation/new-attestation.ts';
import { entryFields } from '../attestation/refresh-entry.ts';
import type { Chain, RegistryState } from '../chain.ts';
import { ContentRevokedError, DelegationInactiveError } from '../errors.ts';
import type { SignerList } from '../lane/signers.ts';
import type { Services } from '../services.ts';
import { registriesOf } from '../settings.ts';
import {
  delegationOn,
  isRevokedSigner,
  presentDelegation,
  type RememberedDelegation,
  rememberDelegation,
} from './delegation.ts';

/** State that decides about a request. */
interface KnownState {
  /** State of each of the chain's registries, or the error of reading them. */
  readonly registryStates: readonly RegistryState[] | Error;
  /** The last known active delegation. It is enough while the chain is unreachable. */
  readonly remembered: RememberedDelegation | undefined;
  /** The chain's signers, if one was added or revoked. */
  readonly signers: SignerList | undefined;
}

/** @throws ContentRevokedError, DelegationInactiveError, ChainUnreachableError */
export async function acceptanceTerms(
  services: Services,
  chain: Chain,
  identity: ContentIdentity,
  { registryStates, remembered, signers }: KnownState,
): Promise<AcceptanceTerms> {
  const { settings } = chain;
  const registries = registriesOf(settings);
  if (registryStates instanceof Error) {
    const isServed = registries.some((one) => one.registryAddress === remembered?.registryAddress);
    if (!remembered || !isServed || isRevokedSigner(signers, remembered.delegateAddress))
      throw registryStates;
    return remembered;
  }
  const chosen = registryStates.map(({ delegateAddress }) => delegateAddress);
  const known = { remembered, signers };
  const present = await presentDelegation(services, settings, chosen, known);
  await rememberDelegation(services, identity, remembered, present);
  const { registryAddress, delegateAddress, active } = present;
  const place = registryStates.findIndex(({ attestationIndex }) => attestationIndex > 0);
  const attestedOn = registries[place];
  // Another registry's forwarder calls that registry, where the index belongs to another attestation.
  if (attestedOn)
    return attestedTerms(
      services,
      identity,
      await delegationOn(services, attestedOn, chosen[place] ?? zeroAddress, known),
    );
  if (!active) throw new DelegationInactiveError(identity.chainId);
  return { registryAddress, delegateAddress };
}

/** Attested content needs no delegation. If the entry is not final yet, the workflow handles it. */
async function attestedTerms(
  services: Services,
  identity: ContentIdentity,
  { registryAddress, delegateAddress }: AcceptanceTerms,
): Promise<AcceptanceTerms> {
  const terms = { registryAddress, delegateAddress };
  const entry = await finalEntry(services, { ...identity, registryAddress });
  if (entry.attestationIndex === 0) return terms;
  const { attestationIndex, confirmedAt, revokedAt } = entryFields(entry);
  if (revokedAt !== undefined) throw new ContentRevokedError(identity.chainId);
  return { ...terms, attested: { attestationIndex, confirmedAt } };
}
