import type { Address } from 'viem';
import type { Fields, Key } from './records.ts';
import type { Services } from './services.ts';

/** The delegation last seen active, so that an unreachable chain does not stop a publisher. */
export function knownDelegationRecord(organizationId: string, chainId: number): Key {
  return { table: 'attestations', pk: `${organizationId}#${chainId}`, sk: 'delegation' };
}

/** Stores what the chain shows now, if that is news. No request fails because it could not be stored. */
export async function rememberDelegation(
  { records, log }: Services,
  { organizationId, chainId }: { organizationId: string; chainId: number },
  known: Fields | undefined,
  delegateAddress: Address | undefined,
): Promise<void> {
  if (known?.delegateAddress === delegateAddress) return;
  const key = knownDelegationRecord(organizationId, chainId);
  try {
    await records.update(
      delegateAddress === undefined ? { key, remove: true } : { key, put: { delegateAddress } },
    );
  } catch (error) {
    log.error('delegation not remembered', error, { organizationId, chainId });
  }
}
