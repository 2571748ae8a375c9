import { table } from 'imprimatur-terminal/text';
import {
  type AuthorityEntry,
  type AuthorityStatement,
  checkSignature,
  isTime,
  parseAddress,
  type SignatureState,
} from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { knownProviders } from '../verifying/providers-of.ts';

export interface StatementChoice {
  readonly authority?: string;
  readonly chain?: readonly number[];
  readonly since?: string;
  readonly until?: string;
}

/** A time in the one form, of a day or a time. @throws UsageInvalidError */
export function parseTime(option: string, text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (isTime(time)) return time;
  throw new UsageInvalidError(`${option} is a day or a time in UTC, 2026-11-22 or 2026-11-22T12:00:00Z`);
}

/** Makes what the authority is to sign; from now on, where no beginning is given. @throws UsageInvalidError */
export function statementOf(
  domain: string,
  { authority = '', chain = [], since }: StatementChoice,
): AuthorityStatement {
  if (chain.length === 0)
    throw new UsageInvalidError('say on which chains, with --chain: elsewhere the address may be another’s');
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    domain,
    address: parseAddress('--authority', authority),
    chainIds: [...new Set(chain)].sort((a, b) => a - b),
    since: since === undefined ? now : parseTime('--since', since),
  };
}

/** The text to sign, and the commands that go on from it. */
export function signingAdvice(
  message: string,
  { domain, address, chainIds, since }: AuthorityStatement,
): string {
  const chains = chainIds.map((id) => `--chain ${id}`).join(' ');
  return [
    `${address} signs this text as it stands (EIP-191, personal_sign):`,
    '',
    message,
    '',
    'With Foundry, for instance:',
    '',
    `cast wallet sign --account NAME '${message}'`,
    '',
    'Then, with the signature:',
    '',
    `imprimatur domain ${domain} --authority ${address} \\`,
    `  ${chains} --since ${since} --signature 0x…`,
  ].join('\n');
}

/** An entry, and whether the authority has signed it, chain by chain. */
export interface CheckedEntry extends AuthorityEntry {
  readonly signed: Readonly<Record<number, SignatureState>>;
}

/** Checks the signature of an entry on every chain that it names. @throws RpcUrlInvalidError */
export async function checkEntry(
  domain: string,
  entry: AuthorityEntry,
  rpc: readonly string[] | undefined,
): Promise<CheckedEntry> {
  const signed: Record<number, SignatureState> = {};
  for (const chainId of entry.chainIds) {
    signed[chainId] = await checkSignature(domain, entry, chainId, {
      providers: knownProviders(rpc, chainId),
    });
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

export function entriesText(entries: readonly CheckedEntry[]): string {
  const rows = entries.map((entry) => {
    const signature = isSigned(entry) ? 'valid' : unsignedOn(entry);
    return [entry.address, entry.chainIds.join(', '), entry.since, entry.until ?? 'open', signature];
  });
  return table(['AUTHORITY', 'CHAINS', 'SINCE', 'UNTIL', 'SIGNATURE'], rows);
}
