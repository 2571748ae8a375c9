import { existsSync } from 'node:fs';
import { table } from 'imprimatur-terminal/text';
import {
  AuthoritiesInvalidError,
  type AuthorityEntry,
  type AuthorityStatement,
  checkSignature,
  isTime,
  parseAddress,
  parseAuthorities,
  type SignatureState,
} from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { readText, writeText } from '../files/read-content.ts';
import { findProviders } from '../verifying/providers.ts';

export interface StatementOptions {
  readonly authority?: string;
  readonly chain?: readonly number[];
  readonly since?: string;
  readonly until?: string;
}

/** Normalizes a date or a time. @throws UsageInvalidError */
export function parseTime(option: string, text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (isTime(time)) return time;
  throw new UsageInvalidError(
    `${option} must be a date or a time in UTC: 2026-11-22 or 2026-11-22T12:00:00Z`,
  );
}

/** Makes the statement that the authority signs. It starts now by default. @throws UsageInvalidError */
export function statementOf(domain: string, { authority = '', chain = [], since }: StatementOptions) {
  if (chain.length === 0)
    throw new UsageInvalidError('missing --chain; on other chains, the address may belong to someone else');
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    domain,
    address: parseAddress('--authority', authority),
    chainIds: [...new Set(chain)].sort((a, b) => a - b),
    since: since === undefined ? now : parseTime('--since', since),
  };
}

export function signingAdvice(message: string, { domain, address, chainIds, since }: AuthorityStatement) {
  const chains = chainIds.map((id) => `--chain ${id}`).join(' ');
  return [
    `Sign this exact text as ${address} (EIP-191, personal_sign):`,
    '',
    message,
    '',
    'For example, with Foundry:',
    '',
    `cast wallet sign --account NAME '${message}'`,
    '',
    'Then, with the signature:',
    '',
    `imprimatur domain ${domain} --authority ${address} \\`,
    `  ${chains} --since ${since} --signature 0x…`,
  ].join('\n');
}

export interface CheckedEntry extends AuthorityEntry {
  readonly signed: Readonly<Record<number, SignatureState>>;
}

/** @throws RpcUrlInvalidError */
export async function checkEntry(domain: string, entry: AuthorityEntry, rpc: readonly string[] | undefined) {
  const signed: Record<number, SignatureState> = {};
  for (const chainId of entry.chainIds) {
    signed[chainId] = await checkSignature(domain, entry, chainId, {
      providers: findProviders(rpc, chainId),
    });
  }
  return { ...entry, signed };
}

export const isSigned = ({ signed }: CheckedEntry) =>
  Object.values(signed).every((state) => state === 'valid');

export const invalidSignatures = ({ signed }: CheckedEntry) =>
  Object.entries(signed)
    .filter(([, state]) => state !== 'valid')
    .map(([chainId, state]) => `${state} on ${chainId}`)
    .join(', ');

export function entriesText(entries: readonly CheckedEntry[]): string {
  const rows = entries.map((entry) => {
    const signature = isSigned(entry) ? 'valid' : invalidSignatures(entry);
    return [entry.address, entry.chainIds.join(', '), entry.since, entry.until ?? 'open', signature];
  });
  return table(['AUTHORITY', 'CHAINS', 'SINCE', 'UNTIL', 'SIGNATURE'], rows);
}

type Entry = Readonly<Record<string, unknown>>;

/** Returns the entries of a file with all their fields, or none if there is no file. @throws UsageInvalidError */
async function readEntries(path: string) {
  if (!existsSync(path)) return [];
  const text = await readText(path);
  try {
    parseAuthorities(text);
  } catch (error) {
    if (!(error instanceof AuthoritiesInvalidError)) throw error;
    throw new UsageInvalidError(`${path} is not a valid authorities file: ${error.message}`);
  }
  const { authorities }: { authorities: readonly Entry[] } = JSON.parse(text);
  return authorities;
}

async function write(path: string, authorities: readonly Entry[]) {
  const text = `${JSON.stringify({ version: 1, authorities }, undefined, 2)}\n`;
  // Parse before writing, so that too many entries are an error here and not for readers.
  const content = parseAuthorities(text);
  await writeText(path, text);
  return content;
}

/** Adds an entry, or replaces one with the same authority, chains and start. @throws UsageInvalidError */
export async function addEntry(path: string, entry: AuthorityEntry) {
  const entries = await readEntries(path);
  const keyOf = ({ address, chainIds, since }: Entry) =>
    `${String(address).toLowerCase()} ${String(chainIds)} ${since}`;
  const others = entries.filter((other) => keyOf(other) !== keyOf({ ...entry }));
  return write(path, [...others, { ...entry }]);
}

/** Ends an authority's entries that have no end. @throws UsageInvalidError if there is none */
export async function endEntries(path: string, address: string, until: string) {
  const entries = await readEntries(path);
  const isOpen = (entry: Entry) =>
    String(entry.address).toLowerCase() === address.toLowerCase() && entry.until === null;
  if (!entries.some(isOpen))
    throw new UsageInvalidError(
      `${path} has no entry of ${address} without an end, so --until has no effect`,
    );
  if (entries.some((entry) => isOpen(entry) && String(entry.since) > until))
    throw new UsageInvalidError(`--until is before the start of an entry of ${address}`);
  const ended = entries.map((entry) => (isOpen(entry) ? { ...entry, until } : entry));
  return write(path, ended);
}
