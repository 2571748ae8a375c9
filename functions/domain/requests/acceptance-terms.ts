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

/** State known when a request is decided on. */
interface KnownState {
  /** The state of each registry of the chain, or the error that kept them from being read. */
  readonly registryStates: readonly RegistryState[] | Error;
  /** The delegation last seen active: enough while the chain cannot be reached. */
  readonly remembered: RememberedDelegation | undefined;
  /** The chain's signers, if any was ever added or revoked. */
  readonly signers: SignerList | undefined;
}

/** Decides whether content may be accepted, and on which terms. @throws ContentRevokedError, DelegationInactiveError, ChainUnreachableError */
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
  // With a delegate of its own registry: a forwarder calls another one, where its index is somebody else's.
  if (attestedOn)
    return attestedTerms(
      services,
      identity,
      await delegationOn(services, attestedOn, chosen[place] ?? zeroAddress, known),
    );
  if (!active) throw new DelegationInactiveError(identity.chainId);
  return { registryAddress, delegateAddress };
}

/** Terms for content that a registry holds: it needs no delegation. If not yet final, it is left to the workflow. */
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
