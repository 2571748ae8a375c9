import { beforeAll, expect, test } from 'vitest';
import { answeringServer } from '../fakes/rpc/answering-server.ts';
import { invalid, noRoute, replyOf } from './conformance/shapes.ts';
import { HttpClient } from './stack/http-client.ts';
import { article, newPublisher, type Publisher } from './stack/publisher.ts';
import { deployedRoutes, documentedRoutes } from './stack/routes.ts';

// Items of the OWASP API Security Top 10 of 2023 beyond the conformance tests:
// https://owasp.org/API-Security/editions/2023/en/0x11-t10/
let publisher: Publisher;
let id: unknown;

beforeAll(async () => {
  publisher = await newPublisher();
  id = (await publisher.api.create({ content: article() })).body.id;
});

test('API7 server-side request forgery: the service never fetches the `url` of an attestation', async () => {
  const heard: string[] = [];
  const url = await answeringServer((body) => {
    heard.push(body);
    return { body };
  });
  const { api } = publisher;
  const created = await api.create({ content: article(), url });
  expect(created.status).toBe(202);
  const confirmed = await api.until(created.body.id, ({ status }) => status === 'confirmed');
  expect([confirmed.url, heard]).toEqual([url, []]);
  await fetch(url);
  expect(heard).toHaveLength(1);
  for (const foreign of [
    'file:///etc/passwd',
    'gopher://a.example/',
    'http:a.example',
    'javascript:alert(1)',
  ])
    expect(replyOf(await api.create({ content: article(), url: foreign }))).toEqual(
      invalid('url', 'must be a valid http or https URL'),
    );
});

test('API8 misconfiguration: no answer allows shared caches or other origins, or shows internals', async () => {
  const { api } = publisher;
  const origin = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const answers = [
    await api.get(id, origin),
    await api.send('OPTIONS', '/v1/attestations', undefined, origin),
    await api.create('{"content":'),
    await api.create({ content: { toString: 'x' } }),
    await api.get('%00%ff'),
    await new HttpClient('{"$ne":null}').list(),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 204, 400, 400, 404, 401]);
  for (const { headers, text } of answers) {
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    const names = [...headers.keys()].filter((name) =>
      /^(access-control|x-powered-by|set-cookie)/.test(name),
    );
    expect([names, text.match(/\.ts\b|node_modules|\bat [\w.]+ \(|arn:aws|dynamodb/i)]).toEqual([[], null]);
  }
});

test('API9 inventory: the deployed routes are the documented ones, and other paths have none', async () => {
  expect(await deployedRoutes()).toEqual(await documentedRoutes());
  // Section 9 of the conformance tests has other versions.
  for (const path of ['/beta/attestations', '/v1', '/v1/attestations/a/b'])
    expect([path, replyOf(await publisher.api.send('GET', path))]).toEqual([path, noRoute]);
});
