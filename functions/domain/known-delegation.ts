import type { Address } from 'viem';
import type { Fields, Key, Records } from './records.ts';

/** The delegation last seen active, so that an unreachable chain does not stop a publisher. */
export function knownDelegationRecord(organizationId: string, chainId: number): Key {
  return { table: 'organizations', pk: organizationId, sk: `delegation#${chainId}` };
}

/** Stores what the chain shows now, if that is news. */
export async function rememberDelegation(
  records: Records,
  key: Key,
  known: Fields | undefined,
  delegateAddress: Address | undefined,
): Promise<void> {
  if (known?.delegateAddress === delegateAddress) return;
  await records.transact([
    delegateAddress === undefined ? { key, remove: true } : { key, put: { delegateAddress } },
  ]);
}
