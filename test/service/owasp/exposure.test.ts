import { beforeAll, expect, test } from 'vitest';
import { connectProviders } from '../../../functions/adapters/chain/providers.ts';
import { viemChain } from '../../../functions/adapters/chain/viem-chain.ts';
import { chainSettingsSchema } from '../../../functions/domain/settings.ts';
import { digestOf, invalid, noRoute, said } from '../conformance/shapes.ts';
import { HttpClient } from '../stack/http-client.ts';
import { listen } from '../stack/listening.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { deployedRoutes, documentedRoutes } from '../stack/routes.ts';
import { stack } from '../stack/running-stack.ts';
import { withinOneDay } from '../stack/within-one-day.ts';

// OWASP API Security Top 10, 2023: https://owasp.org/API-Security/editions/2023/en/0x11-t10/
let publisher: Publisher;
let id: unknown;

beforeAll(async () => {
  publisher = await newPublisher();
  id = (await publisher.api.create({ content: article() })).body.id;
});

test('API4 resource consumption: what is too large, too much or too deep is refused', async () => {
  const { api } = publisher;
  const refusals = [
    await api.create({ content: 'a'.repeat(1_048_577) }),
    await api.create({ content: article(), metadata: { a: 'x'.repeat(32 * 1024) } }),
    await api.create({ content: article(), url: `https://a.example/${'a'.repeat(2048)}` }),
    await api.list('?limit=201'),
  ];
  const fields = refusals.map(({ body }) => (body.issues as { path: string[] }[])[0]?.path[0]);
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(fields).toEqual(['content', 'metadata', 'url', 'limit']);
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  expect((await api.create(`{"content":"a","metadata":{"a":${deep}}}`)).status).toBe(400);
});

test('API6 business flows: repeating a request pays for nothing twice, and an organization has a limit', () =>
  withinOneDay(async () => {
    const { api } = await newPublisher({ limits: { attestationsPerDay: 1 } });
    const text = article();
    const repeated = [await api.create({ content: text }), await api.create({ content: text })];
    expect(repeated.map(({ status }) => status)).toEqual([202, 200]);
    expect(repeated[1]?.body.id).toBe(repeated[0]?.body.id);
    const over = await api.send('POST', '/v1/attestations', { content: article() });
    expect(said(over)).toEqual({ status: 429, body: { error: 'rate limit exceeded' } });
  }));

test('API7 server side request forgery: a url that was given is never fetched', async () => {
  const server = await listen();
  const { api } = publisher;
  const created = await api.create({ content: article(), url: server.url });
  expect(created.status).toBe(202);
  const confirmed = await api.until(created.body.id, ({ status }) => status === 'confirmed');
  expect([confirmed.url, server.heard]).toEqual([server.url, []]);
  // It does hear whoever asks.
  await fetch(server.url);
  server.stop();
  expect(server.heard).toHaveLength(1);
  for (const url of ['file:///etc/passwd', 'gopher://a.example/', 'http:a.example', 'javascript:alert(1)'])
    expect(said(await api.create({ content: article(), url }))).toEqual(
      invalid('url', 'must be a valid http or https URL'),
    );
});

test('API8 misconfiguration: no answer is cached in common, open to other origins, or tells of what is inside', async () => {
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
  expect(answers.map(({ status }) => status)).toEqual([200, 405, 400, 400, 404, 401]);
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

test('API9 inventory: what is deployed is what the document says, and of another version there is nothing', async () => {
  expect(await deployedRoutes()).toEqual(await documentedRoutes());
  for (const path of [
    '/v0/attestations',
    '/v2/attestations',
    '/beta/attestations',
    '/v1',
    '/v1/attestations/a/b',
  ])
    expect([path, said(await publisher.api.send('GET', path))]).toEqual([path, noRoute]);
});

test('API10 unsafe consumption: a provider of another chain is told nothing but that question, and never believed', async () => {
  const liar = await listen((body) => {
    const calls = JSON.parse(body) as { id: number }[];
    return JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' })));
  });
  const { chainId, registryAddress, rpcUrl, signerAddress: delegateAddress } = stack;
  const limits = { totalTimeoutMilliseconds: 5000, retries: 0 };
  const settings = chainSettingsSchema.parse({ chainId, name: 'Local', registryAddress, confirmations: 1 });
  const connect = async () => connectProviders([liar.url, rpcUrl], settings, limits);
  const { registry } = viemChain({ settings, connect, timeoutMilliseconds: 5000 });
  const authorityAddress = publisher.authority.address;
  const registryState = await registry.registryState({
    registryAddress,
    authorityAddress,
    digest: digestOf('unknown'),
  });
  liar.stop();
  expect(registryState).toMatchObject({ attestationIndex: 0, delegateAddress });
  expect(liar.heard.map((body) => JSON.parse(body))).toMatchObject([[{ method: 'eth_chainId' }]]);
});
