import { beforeAll, expect, test } from 'vitest';
import type { Answer, Body } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { invalid, replyOf } from './shapes.ts';
import { storeAttestations } from './stored-attestations.ts';

const outside = 'must be an integer from 1 to 200';

let publisher: Publisher;
let ids: string[];

beforeAll(async () => {
  publisher = await newPublisher();
  ids = await storeAttestations(publisher, 201);
});

const listed = ({ body }: Answer) => body.attestations as Body[];
const idsOf = (answer: Answer) => listed(answer).map(({ id }) => id);
const nextPage = ({ headers }: Answer) =>
  /^<[^?>]*\/v1\/attestations(\?[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];

test('4.3.1 GET /v1/attestations accepts a limit', async () => {
  expect(idsOf(await publisher.api.list('?limit=2'))).toEqual(ids.slice(0, 2));
});

test('4.3.2 limit is 50 by default, and 1 to 200', async () => {
  const { api } = publisher;
  expect(idsOf(await api.list())).toEqual(ids.slice(0, 50));
  expect(idsOf(await api.list('?limit=200'))).toEqual(ids.slice(0, 200));
  expect(idsOf(await api.list('?limit=1'))).toEqual(ids.slice(0, 1));
});

test('4.3.3 the body is an object with only the attestations', async () => {
  const { api } = await newPublisher({ delegated: false });
  expect(replyOf(await api.list())).toEqual({ status: 200, body: { attestations: [] } });
  expect(Object.keys((await publisher.api.list()).body)).toEqual(['attestations']);
});

test("4.3.4 the pages contain only the organization's attestations, newest first", async () => {
  const other = await newPublisher();
  await storeAttestations(other, 2);
  const { api } = publisher;
  const first = await api.list('?limit=120');
  // An attestation that is created meanwhile does not change the following pages.
  const newest = (await api.create({ content: article() })).body.id;
  const second = await api.list(nextPage(first));
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids);
  expect([nextPage(second), second.headers.get('link')]).toEqual([undefined, null]);
  expect(idsOf(await api.list('?limit=2'))).toEqual([newest, ids[0]]);
});

test('4.3.5 each entry equals the response of GET by id', async () => {
  const { api } = publisher;
  const [, entry] = listed(await api.list('?limit=2'));
  expect(entry).toEqual((await api.get(ids[0])).body);
});

test.each(['0', '201', '-1', '1.5', 'ten', ''])('4.3.6 a limit of "%s" is rejected', async (limit) => {
  expect(replyOf(await publisher.api.list(`?limit=${limit}`))).toEqual(invalid('limit', outside));
});
