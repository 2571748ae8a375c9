import { beforeAll, expect, test } from 'vitest';
import { admin } from '../stack/admin.ts';
import { type Body, HttpClient } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { creationOf, noDelegation, replyOf, unauthorized } from './shapes.ts';

let publisher: Publisher;

beforeAll(async () => {
  publisher = await newPublisher();
});

test('5.2 a key reads and writes only data of its organization', async () => {
  const [one, two] = await Promise.all([newPublisher(), newPublisher()]);
  const content = article();
  const [a, b] = [await one.api.create({ content }), await two.api.create({ content })];
  expect([replyOf(a), replyOf(b)]).toEqual([
    { status: 202, body: creationOf(one, content) },
    { status: 202, body: creationOf(two, content) },
  ]);
  expect([await idsOf(one), await idsOf(two)]).toEqual([[a.body.id], [b.body.id]]);
});

async function idsOf({ api }: Publisher): Promise<unknown[]> {
  return ((await api.list()).body.attestations as Body[]).map(({ id }) => id);
}

test('5.3 a missing, invalid or revoked key gives 401 with one body', async () => {
  const { api, apiKey, keyId } = await newPublisher({ delegated: false });
  expect((await api.list()).status).toBe(200);
  await admin('key', 'revoke', keyId);
  const mistyped = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
  const keys = [undefined, '', 'nonsense', mistyped, apiKey];
  const answers = await Promise.all(keys.map((key) => new HttpClient(key).list()));
  expect(answers.map(replyOf)).toEqual(keys.map(() => unauthorized));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('5.5 the authority delegates on-chain, for each chain', async () => {
  const elsewhere = await newPublisher({ delegateAddress: publisher.authority.address });
  expect(replyOf(await elsewhere.api.create({ content: article() }))).toEqual(noDelegation());
  expect(replyOf(await publisher.api.create({ content: article(), chainId: 1 }))).toEqual(noDelegation(1));
});

test('5.7 the key is a bearer token in Authorization, or the value of x-api-key', async () => {
  const { apiKey } = publisher;
  const nobody = new HttpClient();
  const send = (headers: Record<string, string>) =>
    nobody.send('GET', '/v1/attestations?limit=1', undefined, headers);
  const sent = [{ authorization: `Bearer ${apiKey}` }, { 'x-api-key': apiKey }, { authorization: apiKey }];
  const answers = await Promise.all(sent.map((headers) => send(headers as Record<string, string>)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
});
