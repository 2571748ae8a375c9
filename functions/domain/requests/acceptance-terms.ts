import type { Address } from 'viem';
import { finalEntry } from '../attestation/final-entry.ts';
import type { AcceptanceTerms, ContentIdentity } from '../attestation/new-attestation.ts';
import { entryFields } from '../attestation/refresh-entry.ts';
import type { Chain, RegistryState } from '../chain.ts';
import { ContentRevokedError, DelegationInactiveError } from '../errors.ts';
import type { SignerList } from '../lane/signers.ts';
import type { Services } from '../services.ts';
import { chosenDelegate, isRevokedSigner, rememberDelegation } from './delegation.ts';

/** State known when a request is decided on. */
interface KnownState {
  /** The registry's state, or the error that kept it from being read. */
  readonly registryState: RegistryState | Error;
  /** The delegate last seen active: enough while the chain cannot be reached. */
  readonly remembered: Address | undefined;
  /** The chain's signers, if any was ever added or revoked. */
  readonly signers: SignerList | undefined;
}

/**
 * Decides whether content may be accepted, and on which terms.
 *
 * @throws ContentRevokedError, DelegationInactiveError, ChainUnreachableError
 */
export async function acceptanceTerms(
  services: Services,
  chain: Chain,
  identity: ContentIdentity,
  { registryState, remembered, signers }: KnownState,
): Promise<AcceptanceTerms> {
  const { registryAddress } = chain.settings;
  if (registryState instanceof Error) {
    if (!remembered || isRevokedSigner(signers, remembered)) throw registryState;
    return { registryAddress, delegateAddress: remembered };
  }
  const { delegateAddress: chosen } = registryState;
  const { delegateAddress, active } = await chosenDelegate(services, chain.settings, chosen, {
    remembered,
    signers,
  });
  await rememberDelegation(services, identity, remembered, active ? delegateAddress : undefined);
  const terms = { registryAddress, delegateAddress };
  if (registryState.attestationIndex > 0) return attestedTerms(services, identity, terms);
  if (!active) throw new DelegationInactiveError(identity.chainId);
  return terms;
}

/** Terms for content that the registry holds: it needs no delegation. If not yet final, it is left to the workflow. */
async function attestedTerms(
  services: Services,
  identity: ContentIdentity,
  terms: AcceptanceTerms,
): Promise<AcceptanceTerms> {
  const { registryAddress } = terms;
  const entry = await finalEntry(services, { ...identity, registryAddress });
  if (entry.attestationIndex === 0) return terms;
  const { attestationIndex, confirmedAt, revokedAt } = entryFields(entry);
  if (revokedAt !== undefined) throw new ContentRevokedError(identity.chainId);
  return { ...terms, attested: { attestationIndex, confirmedAt } };
}
