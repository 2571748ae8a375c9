import type { Address } from 'viem';
import { ContentRevokedError, DelegationInactiveError } from './errors.ts';
import { rememberDelegation } from './known-delegation.ts';
import type { Basis, Subject } from './new-attestation.ts';
import type { Chain, Standing } from './ports.ts';
import type { Fields } from './records.ts';
import type { Services } from './services.ts';

/**
 * Decides on what grounds content may be accepted.
 *
 * @param standing what the registry shows, or the reason why nobody could be asked
 * @param known the delegation last seen active: enough while the chain cannot be reached
 * @throws ContentRevokedError, DelegationInactiveError, ChainUnreachableError
 */
export async function acceptanceBasis(
  services: Services,
  chain: Chain,
  subject: Subject,
  { standing, known }: { standing: Standing | Error; known: Fields | undefined },
): Promise<Basis> {
  const { registryAddress } = chain.settings;
  const remembered = known?.delegateAddress as Address | undefined;
  if (standing instanceof Error) {
    if (!remembered) throw standing;
    return { registryAddress, delegateAddress: remembered };
  }
  const delegateAddress = await chosenDelegate(services, chain, standing.delegateAddress, remembered);
  const delegates = standing.delegateAddress === delegateAddress;
  await rememberDelegation(services, subject, known, delegates ? delegateAddress : undefined);
  const basis = { registryAddress, delegateAddress };
  if (standing.attestationIndex > 0) return attestedBasis(chain, subject, basis, standing.attestationIndex);
  if (!delegates) throw new DelegationInactiveError(subject.chainId);
  return basis;
}

/** The delegate of the settings that the authority chose; if it chose none, the one to delegate to. */
async function chosenDelegate(
  services: Services,
  { settings }: Chain,
  chosen: Address,
  remembered: Address | undefined,
): Promise<Address> {
  const { delegates } = settings;
  if (delegates.includes(chosen)) return chosen;
  const [first] = delegates;
  if (!delegates.includes('key')) return first as Address;
  const own = await ownAddress(services, remembered);
  return own === chosen || first === 'key' ? own : (first as Address);
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

/** Content that the registry holds needs no delegation; not yet at a final block, it is left to the workflow. */
async function attestedBasis(
  chain: Chain,
  subject: Subject,
  basis: Basis,
  attestationIndex: number,
): Promise<Basis> {
  const { registryAddress } = basis;
  const [final, entry] = await Promise.all([
    chain.atFinal((view) => view.standing({ ...subject, registryAddress })),
    chain.registry.entry(registryAddress, attestationIndex),
  ]);
  if (entry.revokedAt !== 0) throw new ContentRevokedError(subject.chainId);
  if (final.attestationIndex === 0) return basis;
  const confirmedAt = new Date(entry.timestamp * 1000).toISOString();
  return { ...basis, attested: { attestationIndex: final.attestationIndex, confirmedAt } };
}
