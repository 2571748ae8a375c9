import type { Address } from 'viem';
import type { AcceptanceTerms, ContentIdentity } from '../attestation/new-attestation.ts';
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
  if (registryState.attestationIndex > 0)
    return attestedTerms(chain, identity, terms, registryState.attestationIndex);
  if (!active) throw new DelegationInactiveError(identity.chainId);
  return terms;
}

/** Terms for content that the registry holds: it needs no delegation. If not yet final, it is left to the workflow. */
async function attestedTerms(
  chain: Chain,
  identity: ContentIdentity,
  terms: AcceptanceTerms,
  attestationIndex: number,
): Promise<AcceptanceTerms> {
  const { registryAddress } = terms;
  const [final, entry] = await Promise.all([
    chain.atFinal((view) => view.registryState({ ...identity, registryAddress })),
    chain.registry.entry(registryAddress, attestationIndex),
  ]);
  if (entry.revokedAt !== 0) throw new ContentRevokedError(identity.chainId);
  if (final.attestationIndex === 0) return terms;
  const confirmedAt = new Date(entry.timestamp * 1000).toISOString();
  return { ...terms, attested: { attestationIndex: final.attestationIndex, confirmedAt } };
}
