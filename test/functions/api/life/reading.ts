import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { handler as getHandler } from '../../../../functions/api/get-attestation.ts';
import { handler as listHandler } from '../../../../functions/api/list-attestations.ts';
import { handler as chainsHandler } from '../../../../functions/api/list-chains.ts';
import { chainId, registryAddress, type World } from '../../../fakes/world/world.ts';
import { type Answer, type Asking, ask, base, workingKey } from './answers.ts';
import { create } from './creation.ts';
import { type Body, findRow, type LifeModel, newestFirst, type Publisher, type Row } from './life-model.ts';

export const missing: Answer = { status: 404, body: { error: 'attestation not found' } };

const entityTag = expect.stringMatching(/^"[\w-]{22}"$/);

function headersOf({ body }: Row, etag: unknown): Body {
  const isUnderWay = body.status === 'pending' || body.status === 'committed';
  return { ETag: etag, ...(isUnderWay ? { 'Retry-After': '5' } : {}) };
}

/** Nothing changed since the tag was given, so there is nothing to show. */
function isKnown({ tag, body }: Row, conditional: boolean): boolean {
  return conditional && tag !== undefined && isDeepStrictEqual(tag.body, body);
}

/** One attestation of its own as it must be, a 404 for any other; `conditional` sends the tag of the last time. */
export async function get(asking: Asking, id: string, conditional = false): Promise<void> {
  const row = findRow(asking.publisher, id);
  const headers = conditional && row?.tag ? { 'If-None-Match': row.tag.etag } : {};
  const reply = await ask(asking, getHandler, { id, headers }, () => {
    if (!row) return missing;
    if (isKnown(row, conditional)) return { status: 304, headers: headersOf(row, row.tag?.etag) };
    return { status: 200, body: row.body, headers: headersOf(row, entityTag) };
  });
  if (!reply || !row || reply.status !== 200) return;
  row.body = reply.body;
  row.tag = { etag: reply.headers.ETag ?? '', body: reply.body };
}

export interface Page {
  readonly limit?: number;
  readonly cursor?: string;
}

function foretellPage(publisher: Publisher, { limit = 50, cursor }: Page): { rows: Row[]; answer: Answer } {
  const from = newestFirst(publisher).filter(
    ({ body }) => cursor === undefined || String(body.id) < cursor.toLowerCase(),
  );
  const rows = from.slice(0, limit);
  const next = `<${base}?limit=${limit}&cursor=${rows.at(-1)?.body.id}>; rel="next"`;
  const headers = from.length > limit ? { Link: next } : {};
  const attestations = rows.map(({ body }) => body);
  return { rows, answer: { status: 200, body: { attestations }, headers } };
}

/** @returns the cursor of the next page, if there is one, and the ids of this */
export async function list(asking: Asking, page: Page = {}): Promise<{ ids: string[]; next?: string }> {
  const { limit, cursor } = page;
  const query = {
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const { rows, answer } = foretellPage(asking.publisher, page);
  const reply = await ask(asking, listHandler, { query }, () => answer);
  if (!reply) return { ids: [] };
  const shown = reply.body.attestations as Body[];
  for (const [position, row] of rows.entries()) row.body = shown[position] ?? row.body;
  const times = shown.map(({ createdAt }) => String(createdAt));
  expect(times).toEqual(times.toSorted().reverse());
  const next = /cursor=([0-9a-f-]{36})>/.exec(reply.headers.Link ?? '')?.[1];
  return { ids: shown.map(({ id }) => String(id)), ...(next === undefined ? {} : { next }) };
}

/** Follows the links from the first page to the last while new ones arrive: nothing is left out and nothing repeats. */
export async function pageThrough(
  model: LifeModel,
  world: World,
  publisher: Publisher,
  { limit, arriving }: { limit: number; arriving: readonly boolean[] },
): Promise<void> {
  const asking = { publisher, key: workingKey(publisher) };
  if (publisher.keys[asking.key]?.revoked) return;
  const before = newestFirst(publisher).map(({ body }) => body.id);
  const arrivals = [...arriving];
  const seen: string[] = [];
  let page: Page | undefined = { limit };
  while (page) {
    const { ids, next } = await list(asking, page);
    seen.push(...ids);
    if (arrivals.shift()) await create(model, world, asking, `fresh ${model.fresh++}`);
    page = next === undefined ? undefined : { limit, cursor: next };
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => before.includes(id))).toEqual(before);
}

/** The chains served, and whether the organisation delegates on them as far as anyone can see. */
export async function listChains({ reachable }: LifeModel, world: World, asking: Asking): Promise<void> {
  const { delegateAddress } = world;
  const delegationActive = reachable ? asking.publisher.delegates : null;
  const { authorityAddress } = asking.publisher;
  const served = {
    ...{ chainId, name: 'Simulated', registryAddress, authorityAddress },
    ...{ delegateAddress, delegationActive },
  };
  await ask(asking, chainsHandler, {}, () => ({ status: 200, body: { chains: [served] } }));
}

const issues = {
  limit: [{ path: ['limit'], message: 'must be an integer from 1 to 200' }],
  cursor: [{ path: ['cursor'], message: 'must be one that a list gave in Link' }],
};

export async function listInvalid(asking: Asking, name: 'limit' | 'cursor', value: string): Promise<void> {
  const body = { error: 'invalid request', issues: issues[name] };
  await ask(asking, listHandler, { query: { [name]: value } }, () => ({ status: 400, body }));
}
