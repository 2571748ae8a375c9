import { fundedAccount } from '../../../../contracts/test/chain/chain.ts';
import { type AuthorityEntry, authorityMessage } from '../../src/verifier.ts';

export const since = '2026-11-22T00:00:00Z';
export const secondsOf = (time: string) => Date.parse(time) / 1000;

/** An entry for a domain, signed by the key of one of anvil's accounts. */
export async function signedEntry(
  domain: string,
  addressIndex: number,
  fields: Partial<Omit<AuthorityEntry, 'address'>> = {},
): Promise<AuthorityEntry> {
  const account = fundedAccount(addressIndex);
  const statement = { domain, address: account.address, chainIds: [8453], since, ...fields };
  const signature = await account.signMessage({ message: authorityMessage(statement) });
  return { until: null, signature, ...statement };
}

export const fileOf = (...authorities: readonly object[]) => JSON.stringify({ version: 1, authorities });
