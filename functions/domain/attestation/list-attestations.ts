import type { Fields, Records } from '../records.ts';
import type { Attestation, AttestationStatus } from './attestation.ts';
import { attestationOf, attestationRow, contentGuard, guardedId } from './attestation-records.ts';
import { standardUrl, urlLookUp } from './url-look-ups.ts';

export interface AttestationFilter {
  readonly contentCid?: string | undefined;
  readonly url?: string | undefined;
  readonly status?: AttestationStatus | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

export interface ListRequest {
  readonly limit: number;
  /** The page has attestations with lower IDs than this. */
  readonly before?: string | undefined;
  readonly filter?: AttestationFilter;
  readonly chainIds?: readonly number[];
}

export interface AttestationList {
  readonly attestations: readonly Attestation[];
  /** `before` of the next page; absent on the last page. */
  readonly next?: string;
}

interface Row {
  readonly id: string;
  readonly fields: Fields;
}

/** Reads up to `count` rows below an ID, newest first. `last` is the `before` of the next read; absent at the end. */
type Read = (before: string | undefined, count: number) => Promise<{ rows: Row[]; last?: string }>;

/** Number of rows in one read if a filter may discard many of them: about half a megabyte. */
const filteredReadSize = 400;

/** Maximum number of rows read for one page, about 600 read units. Then the page ends, even if it is short. */
const maxRowsRead = 2_000;

/** Limit above any possible number of attempts at one content. */
const allAttempts = 1_000_000;

/** Lists an organization's attestations, newest first. A page may be short or empty although another page follows. */
export async function listAttestations(
  records: Records,
  organizationId: string,
  { limit, before, filter = {}, chainIds = [] }: ListRequest,
): Promise<AttestationList> {
  const read = createReader(records, organizationId, filter, chainIds);
  const minId = filter.createdAfter && lowestId(filter.createdAfter);
  const attestations: Attestation[] = [];
  let next = lowerId(before, filter.createdBefore && lowestId(filter.createdBefore));
  for (let count = 0; count < maxRowsRead; ) {
    const readSize = filter.status === undefined ? limit + 1 : Math.max(limit + 1, filteredReadSize);
    const { rows, last } = await read(next, readSize);
    for (const { id, fields } of rows) {
      if (minId !== undefined && id < minId) return { attestations };
      if (attestations.length === limit) return { attestations, ...(next === undefined ? {} : { next }) };
      if (matches(fields, filter)) attestations.push(attestationOf({ organizationId, id }, fields));
      next = id;
    }
    if (last === undefined) return { attestations };
    next = last;
    count += readSize;
  }
  return { attestations, ...(next === undefined ? {} : { next }) };
}

function lowerId(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

/** Returns the lower bound of the IDs of a time. A UUIDv7 begins with the milliseconds since 1970, in 48 bits. */
export function lowestId(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`;
}

function matches({ status, url }: Fields, filter: AttestationFilter): boolean {
  if (filter.status !== undefined && status !== filter.status) return false;
  if (filter.url === undefined) return true;
  return typeof url === 'string' && standardUrl(url) === standardUrl(filter.url);
}

function createReader(
  records: Records,
  organizationId: string,
  { contentCid, url }: AttestationFilter,
  chainIds: readonly number[],
): Read {
  if (contentCid !== undefined) return readByContent(records, organizationId, contentCid, chainIds);
  const anyKey = { organizationId, id: '' };
  const { table, pk } = url === undefined ? attestationRow(anyKey) : urlLookUp(anyKey, url);
  return async (before, limit) => {
    const stored = await records.list({ ...{ table, pk, limit }, ...beforeOption(before), descending: true });
    const ids = stored.map(({ key }) => key.sk);
    const rows =
      url === undefined
        ? stored.map(({ key, fields }) => ({ id: key.sk, fields }))
        : await readRows(records, organizationId, ids);
    return { rows, ...lastOf(ids, limit) };
  };
}

/** Reads the attestations of a content: on each chain the newest one and the failed ones before it. */
function readByContent(
  records: Records,
  organizationId: string,
  contentCid: string,
  chainIds: readonly number[],
): Read {
  const idsOnChain = async (chainId: number): Promise<string[]> => {
    const guard = contentGuard(organizationId, chainId, contentCid);
    const found = await records.list({ table: guard.table, pk: guard.pk, limit: allAttempts });
    return found.map(({ key, fields }) => (key.sk === guard.sk ? guardedId(fields) : key.sk));
  };
  return async (before, limit) => {
    const ids = (await Promise.all(chainIds.map(idsOnChain)))
      .flat()
      .filter((id) => before === undefined || id < before)
      .sort()
      .reverse()
      .slice(0, limit);
    return { rows: await readRows(records, organizationId, ids), ...lastOf(ids, limit) };
  };
}

async function readRows(records: Records, organizationId: string, ids: readonly string[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  const found = await records.getAll(ids.map((id) => attestationRow({ organizationId, id })));
  return ids.flatMap((id, position) => {
    const fields = found[position];
    return fields ? [{ id, fields }] : [];
  });
}

const beforeOption = (before: string | undefined) => (before === undefined ? {} : { before });

/** Returns where the next rows begin; nothing if fewer than `limit` were found. */
function lastOf(ids: readonly string[], limit: number): { last?: string } {
  const last = ids.at(-1);
  return ids.length < limit || last === undefined ? {} : { last };
}
