import type { Address } from 'viem';
import type { SignerList } from '../lane/signers.ts';
import type { Fields, Key } from '../records.ts';
import type { Services } from '../services.ts';
import type { ChainSettings } from '../settings.ts';
import { address, parseRecord, recordForm } from '../stored-record.ts';

/** The delegate that an authority has, or is to choose. */
export interface ChosenDelegate {
  readonly delegateAddress: Address;
  /** Whether the authority's delegation is to it, and it may send. */
  readonly active: boolean;
}

interface Known {
  /** The delegate last seen active. */
  readonly remembered?: Address | undefined;
  /** The chain's record of its signers, if it has one. */
  readonly signers: SignerList | undefined;
}

/** Whether the address is of a key that was revoked: an authority that delegates to it has to choose another. */
export function isRevokedSigner(list: SignerList | undefined, address: Address): boolean {
  const signers = list?.signers ?? [];
  return signers.some((signer) => signer.address === address && signer.state === 'revoked');
}

/**
 * The delegate of the settings that the authority chose; if it chose none, the one to delegate to.
 *
 * @param chosen the authority's delegate on-chain, the zero address without one
 */
export async function chosenDelegate(
  services: Services,
  { delegates }: ChainSettings,
  chosen: Address,
  { remembered, signers }: Known,
): Promise<ChosenDelegate> {
  const forwarders = delegates.filter((delegate) => delegate !== 'key');
  if (forwarders.includes(chosen)) return { delegateAddress: chosen, active: true };
  const [forwarder] = forwarders;
  if (forwarder && !delegates.includes('key')) return { delegateAddress: forwarder, active: false };
  const own = await ownAddress(services, remembered);
  const isRevoked = isRevokedSigner(signers, own);
  const prefersForwarder = isRevoked || (own !== chosen && delegates[0] !== 'key');
  if (forwarder && prefersForwarder) return { delegateAddress: forwarder, active: false };
  return { delegateAddress: own, active: own === chosen && !isRevoked };
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

const delegationForm = recordForm<{ readonly delegateAddress: Address }>({ delegateAddress: address });

/** Returns the delegate that the record remembers. @throws RecordInvalidError */
export function rememberedDelegate(delegation: Fields): Address {
  return parseRecord('delegation', delegationForm, delegation).delegateAddress;
}

/** Stores what the chain shows now, if that is news. No request fails because it could not be stored. */
export async function rememberDelegation(
  { records, log }: Services,
  { organizationId, chainId }: { organizationId: string; chainId: number },
  remembered: Address | undefined,
  delegateAddress: Address | undefined,
): Promise<void> {
  if (remembered === delegateAddress) return;
  const key = knownDelegationRecord(organizationId, chainId);
  try {
    await records.update(
      delegateAddress === undefined ? { key, remove: true } : { key, put: { delegateAddress } },
    );
  } catch (error) {
    log.error('delegation not remembered', error, { organizationId, chainId });
  }
}
