import { existsSync } from 'node:fs';
import { AuthoritiesInvalidError, type AuthorityEntry, parseAuthorities } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { readText, writeText } from '../files/read-content.ts';

type Entry = Readonly<Record<string, unknown>>;

/** The entries of a file as they are, with fields of others; none where there is no file. @throws UsageInvalidError */
async function readEntries(path: string) {
  if (!existsSync(path)) return [];
  const text = await readText(path);
  try {
    parseAuthorities(text);
  } catch (error) {
    if (!(error instanceof AuthoritiesInvalidError)) throw error;
    throw new UsageInvalidError(`${path} is no file of authorities: ${error.message}`, { cause: error });
  }
  const { authorities }: { authorities: readonly Entry[] } = JSON.parse(text);
  return authorities;
}

async function write(path: string, authorities: readonly Entry[]) {
  const text = `${JSON.stringify({ version: 1, authorities }, undefined, 2)}\n`;
  // What is written is read: too many entries are an error here, and not at the readers.
  const content = parseAuthorities(text);
  await writeText(path, text);
  return content;
}

/** Adds an entry to a file, in place of one of the same authority, chains and beginning. @throws UsageInvalidError */
export async function addEntry(path: string, entry: AuthorityEntry) {
  const entries = await readEntries(path);
  const keyOf = ({ address, chainIds, since }: Entry) =>
    `${String(address).toLowerCase()} ${String(chainIds)} ${since}`;
  const others = entries.filter((one) => keyOf(one) !== keyOf({ ...entry }));
  return write(path, [...others, { ...entry }]);
}

/** Ends the entries of an authority that have no end. @throws UsageInvalidError when there is none */
export async function endEntries(path: string, address: string, until: string) {
  const entries = await readEntries(path);
  const isOpen = (entry: Entry) =>
    String(entry.address).toLowerCase() === address.toLowerCase() && entry.until === null;
  if (!entries.some(isOpen))
    throw new UsageInvalidError(`${path} has no entry of ${address} that goes on, which --until could end`);
  if (entries.some((entry) => isOpen(entry) && String(entry.since) > until))
    throw new UsageInvalidError(`--until is before the beginning of an entry of ${address}`);
  const ended = entries.map((entry) => (isOpen(entry) ? { ...entry, until } : entry));
  return write(path, ended);
}
