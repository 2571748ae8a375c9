import { beforeAll, expect, test } from 'vitest';
import {
  confirmedOf,
  creationOf,
  noMethod,
  noRoute,
  notFound,
  said,
  unauthorized,
} from '../conformance/shapes.ts';
import { admin } from '../stack/admin.ts';
import { type Body, HttpClient } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { stack } from '../stack/running-stack.ts';

// OWASP API Security Top 10, 2023: https://owasp.org/API-Security/editions/2023/en/0x11-t10/
let publisher: Publisher;
let attestation: Body;

beforeAll(async () => {
  publisher = await newPublisher();
  attestation = (await publisher.api.create({ content: article() })).body;
});

test('API1 object level authorization: an id is worth nothing to whoever does not own it', async () => {
  const { api } = await newPublisher({ delegated: false });
  const answers = [
    await api.get(attestation.id),
    await api.send('GET', `/v1/attestations/${attestation.id}/proof`),
    await api.link(attestation.id, crypto.randomUUID()),
    await api.quote(attestation.id, 'a'),
    await api.get(crypto.randomUUID()),
  ];
  expect(answers.map(said)).toEqual(Array(5).fill(notFound));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('API2 authentication: only a whole, unrevoked key in its header is one, and no answer tells which part was wrong', async () => {
  const { apiKey, keyId } = await newPublisher({ delegated: false });
  const nobody = new HttpClient();
  const inQuery = `/v1/attestations?apiKey=${apiKey}&x-api-key=${apiKey}&authorization=${apiKey}`;
  expect(said(await nobody.send('GET', inQuery))).toEqual(unauthorized);
  for (const key of ['', 'null', apiKey.slice(0, -1), apiKey.toLowerCase(), ` ${apiKey} x`])
    expect([key, said(await new HttpClient(key).list())]).toEqual([key, unauthorized]);
  expect((await new HttpClient(apiKey).list()).status).toBe(200);
  await admin('key', 'revoke', keyId);
  expect(said(await new HttpClient(apiKey).list())).toEqual(unauthorized);
});

test('API3 property level authorization: no client sets or sees a field that is the service’s own', async () => {
  const { api, organizationId } = publisher;
  const text = article();
  const intended = {
    ...{
      id: crypto.randomUUID(),
      status: 'confirmed',
      attestationIndex: 1,
      error: 'x',
      createdAt: '2000-01-01',
    },
    ...{ organizationId: crypto.randomUUID(), authorityAddress: stack.signerAddress, salt: '0x00' },
  };
  const created = await api.create({ ...intended, content: text });
  expect(said(created)).toEqual({ status: 202, body: creationOf(publisher, text) });
  expect(created.body.id).not.toBe(intended.id);
  const confirmed = await api.until(created.body.id, ({ status }) => status === 'confirmed');
  expect(confirmed).toEqual(confirmedOf(publisher, text));
  expect(JSON.stringify(confirmed)).not.toContain(organizationId);
});

test('API5 function level authorization: what operators do has no route, with a key or without', async () => {
  const tries = [
    ...['organizations', 'keys', 'admin', 'lanes', 'signers'].flatMap((name) => [
      ['GET', `/v1/${name}`],
      ['POST', `/v1/${name}`],
    ]),
  ];
  const changes = ['PUT', 'PATCH', 'DELETE'];
  for (const client of [publisher.api, new HttpClient()]) {
    for (const [method = '', path = ''] of tries)
      expect([method, path, said(await client.send(method, path))]).toEqual([method, path, noRoute]);
    for (const method of changes) {
      const answer = await client.send(method, `/v1/attestations/${attestation.id}`);
      expect([method, said(answer)]).toEqual([method, noMethod]);
    }
  }
});
