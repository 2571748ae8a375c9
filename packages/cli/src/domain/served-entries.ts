import { table } from 'imprimatur-terminal/text';
import type { AuthorityEntry, SignatureState } from 'imprimatur-verifier';

type Verifier = typeof import('imprimatur-verifier');

/** An entry, and whether the authority has signed it, chain by chain. */
export interface CheckedEntry extends AuthorityEntry {
  readonly signed: Readonly<Record<number, SignatureState>>;
}

/** Checks the signature of an entry on every chain that it names. @throws RpcUrlInvalidError */
export async function checkEntry(
  { checkSignature, knownChains }: Verifier,
  domain: string,
  entry: AuthorityEntry,
  rpc: readonly string[] | undefined,
): Promise<CheckedEntry> {
  const signed: Record<number, SignatureState> = {};
  for (const chainId of entry.chainIds) {
    const providers = rpc ?? knownChains[chainId]?.providers ?? [];
    signed[chainId] = await checkSignature(domain, entry, chainId, { providers });
  }
  return { ...entry, signed };
}

/** Whether the authority has signed an entry for every chain in it. */
export const isSigned = ({ signed }: CheckedEntry) =>
  Object.values(signed).every((state) => state === 'valid');

/** Chains on which that is not so, and how it is. */
export const unsignedOn = ({ signed }: CheckedEntry) =>
  Object.entries(signed)
    .filter(([, state]) => state !== 'valid')
    .map(([chainId, state]) => `${state} on ${chainId}`)
    .join(', ');

/** Formats entries for a person, one a line. */
export function entriesText(entries: readonly CheckedEntry[]): string {
  const rows = entries.map((entry) => {
    const signature = isSigned(entry) ? 'valid' : unsignedOn(entry);
    return [entry.address, entry.chainIds.join(', '), entry.since, entry.until ?? 'open', signature];
  });
  return table(['AUTHORITY', 'CHAINS', 'SINCE', 'UNTIL', 'SIGNATURE'], rows);
}
