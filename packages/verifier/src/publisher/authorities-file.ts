import type { Address, Hex } from '../hex.ts';
import { Part } from '../part.ts';

/** A malformed authorities file; the message states the problem and its location in one line. */
export class AuthoritiesInvalidError extends Error {
  override name = 'AuthoritiesInvalidError';
}

/** An authority that a domain vouches for. */
export interface AuthorityEntry {
  readonly address: Address;
  /** In ascending order, without duplicates. On another chain, the address may have another owner. */
  readonly chainIds: readonly number[];
  /** Start in UTC to the second: `2026-11-22T00:00:00Z`. */
  readonly since: string;
  /** End, or `null`. Only the domain sets it, so it is not signed. */
  readonly until: string | null;
  /** The authority's signature of `authorityMessage`. */
  readonly signature: Hex;
}

/** The content of `/.well-known/attestation-authorities.json`. */
export interface AuthoritiesFile {
  readonly version: 1;
  readonly authorities: readonly AuthorityEntry[];
}

export const maxAuthoritiesBytes = 65_536;
const maxAuthorities = 256;
const maxChains = 64;

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const timeDescription = 'a time in UTC to the second, such as 2026-11-22T00:00:00Z';

/** Whether a text is a valid time in this form. `Date` accepts 30 February. */
export function isTime(text: string): boolean {
  return (
    timeForm.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString() === text.replace('Z', '.000Z')
  );
}

function readTime(part: Part): string {
  const time = part.text(timeForm, timeDescription);
  return isTime(time) ? time : part.fail(timeDescription);
}

function readChainIds(part: Part): number[] {
  const chainIds = part.list(0, maxChains, (item) => item.number(1));
  const isAscending = chainIds.every((id, index) => index === 0 || id > (chainIds[index - 1] ?? 0));
  if (chainIds.length > 0 && isAscending) return chainIds;
  return part.refuse('must list at least one chain ID, in ascending order without duplicates');
}

function readEntry(part: Part): AuthorityEntry {
  const [since, end] = [readTime(part.field('since')), part.field('until')];
  const until = end.value === null ? null : readTime(end);
  if (until !== null && until < since) end.refuse('must not be before "since"');
  return {
    address: part.field('address').address(),
    chainIds: readChainIds(part.field('chainIds')),
    ...{ since, until },
    signature: part
      .field('signature')
      .text(/^0x(?:[0-9a-fA-F]{2})+$/, 'a signature, 0x and pairs of hexadecimal digits') as Hex,
  };
}

/** Parses a domain's authorities file without checking signatures, and drops unknown fields. @throws AuthoritiesInvalidError */
export function parseAuthorities(file: string | Uint8Array): AuthoritiesFile {
  const part = Part.ofFile(file, maxAuthoritiesBytes, (problem) => new AuthoritiesInvalidError(problem));
  const version = part.version();
  return { version, authorities: part.field('authorities').list(0, maxAuthorities, readEntry) };
}
