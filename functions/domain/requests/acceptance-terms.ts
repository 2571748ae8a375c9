import type { Address } from 'viem';
import type { Basis, Subject } from '../attestation/new-attestation.ts';
import type { Chain, RegistryState } from '../chain.ts';
import { ContentRevokedError, DelegationInactiveError } from '../errors.ts';
import type { Fields } from '../records.ts';
import type { Services } from '../services.ts';
import { chosenDelegate, isRevokedSigner, rememberDelegation } from './delegation.ts';

/** What is known when a request is decided on. */
interface Evidence {
  /** What the registry shows, or the reason why nobody could be asked. */
  readonly registryState: RegistryState | Error;
  /** The delegation last seen active: enough while the chain cannot be reached. */
  readonly known: Fields | undefined;
  /** The chain's signers, if any was ever added or revoked. */
  readonly signers: Fields | undefined;
}

/**
 * Decides on what grounds content may be accepted.
 *
 * @throws ContentRevokedError, DelegationInactiveError, ChainUnreachableError
 */
export async function acceptanceBasis(
  services: Services,
  chain: Chain,
  subject: Subject,
  { registryState, known, signers }: Evidence,
): Promise<Basis> {
  const { registryAddress } = chain.settings;
  const remembered = known?.delegateAddress as Address | undefined;
  if (registryState instanceof Error) {
    if (!remembered || isRevokedSigner(signers, remembered)) throw registryState;
    return { registryAddress, delegateAddress: remembered };
  }
  const { delegateAddress: chosen } = registryState;
  const { delegateAddress, active } = await chosenDelegate(services, chain.settings, chosen, {
    remembered,
    signers,
  });
  await rememberDelegation(services, subject, known, active ? delegateAddress : undefined);
  const basis = { registryAddress, delegateAddress };
  if (registryState.attestationIndex > 0)
    return attestedBasis(chain, subject, basis, registryState.attestationIndex);
  if (!active) throw new DelegationInactiveError(subject.chainId);
  return basis;
}

/** Content that the registry holds needs no delegation; not yet at a final block, it is left to the workflow. */
async function attestedBasis(
  chain: Chain,
  subject: Subject,
  basis: Basis,
  attestationIndex: number,
): Promise<Basis> {
  const { registryAddress } = basis;
  const [final, entry] = await Promise.all([
    chain.atFinal((view) => view.registryState({ ...subject, registryAddress })),
    chain.registry.entry(registryAddress, attestationIndex),
  ]);
  if (entry.revokedAt !== 0) throw new ContentRevokedError(subject.chainId);
  if (final.attestationIndex === 0) return basis;
  const confirmedAt = new Date(entry.timestamp * 1000).toISOString();
  return { ...basis, attested: { attestationIndex: final.attestationIndex, confirmedAt } };
}
