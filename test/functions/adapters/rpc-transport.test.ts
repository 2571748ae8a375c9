import { createPublicClient } from 'viem';
import { afterEach, expect, test } from 'vitest';
import { jsonLog } from '../../../functions/adapters/json-log.ts';
import { rpcTransport } from '../../../functions/adapters/rpc-transport.ts';
import { viemChain } from '../../../functions/adapters/viem-chain.ts';
import { ChainUnreachableError } from '../../../functions/domain/errors.ts';
import { type Answer, RpcServer } from '../../fakes/rpc-server.ts';
import { makeWorld } from '../../fakes/world.ts';

const chainId = 31_337;
const started: RpcServer[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});

async function serve(answer: ConstructorParameters<typeof RpcServer>[0]) {
  const server = new RpcServer(answer);
  started.push(server);
  return { server, url: await server.start() };
}

const block = { number: '0x10', timestamp: '0x20', transactions: [], hash: `0x${'1'.repeat(64)}` };

/** A provider of the chain: answers what it must, or as told. */
const healthy = (others: Record<string, Answer> = {}) =>
  serve(({ method }) => {
    if (others[method]) return others[method];
    if (method === 'eth_chainId') return { result: '0x7a69' };
    if (method === 'eth_getBlockByNumber') return { result: block };
    if (method === 'eth_getTransactionCount') return { result: '0x5' };
    return { result: null };
  });

function chainOf(urls: string[], limits = { totalTimeoutMilliseconds: 1000, retries: 0 }) {
  const client = createPublicClient({ transport: rpcTransport(urls, chainId, limits) });
  const { settings } = makeWorld().chain;
  return viemChain({ settings, connect: async () => client, patienceMilliseconds: 5000 });
}

/** An address on which nothing listens. */
async function downUrl(): Promise<string> {
  const { server, url } = await serve(() => ({ result: null }));
  started.splice(started.indexOf(server), 1);
  await server.stop();
  return url;
}

test('asks a provider for its chain id once, before its first use', async () => {
  const { server, url } = await healthy();
  const chain = chainOf([url]);
  expect(await chain.head()).toEqual({ number: 16, timestamp: 32 });
  await chain.head();
  expect(server.requests.flat()).toEqual(['eth_chainId', 'eth_getBlockByNumber', 'eth_getBlockByNumber']);
});

test('what is asked at once shares one request', async () => {
  const { server, url } = await healthy();
  const chain = chainOf([url]);
  await chain.head();
  const hash = `0x${'2'.repeat(64)}` as const;
  const sighting = await chain.sight(`0x${'3'.repeat(40)}`, [hash]);
  expect(sighting).toMatchObject({ head: { number: 16 }, minedCount: 5 });
  expect(server.requests).toHaveLength(3);
  expect(server.requests.at(-1)).toHaveLength(3);
});

test.each<[string, () => Promise<{ url: string }>]>([
  ['is down', async () => ({ url: await downUrl() })],
  ['serves another chain', () => serve(() => ({ result: '0x1' }))],
  ['sends garbage', () => serve(() => '<html>busy</html>')],
  ['answers with an error', () => serve(() => ({ error: { code: -32005, message: 'limit exceeded' } }))],
  ['never answers', () => serve(() => undefined)],
])('goes to the next provider when the first %s', async (_, first) => {
  const { url } = await first();
  const second = await healthy();
  expect(await chainOf([url, second.url]).head()).toEqual({ number: 16, timestamp: 32 });
});

test('a provider that recovers is used again', async () => {
  let wrong = true;
  const { url } = await serve(({ method }) =>
    method === 'eth_chainId' ? { result: wrong ? '0x1' : '0x7a69' } : { result: block },
  );
  const chain = chainOf([url]);
  await expect(chain.head()).rejects.toThrow(ChainUnreachableError);
  wrong = false;
  expect((await chain.head()).number).toBe(16);
});

test('no provider that answers is "unreachable", within the time, and no URL is in the error or the log', async () => {
  const silent = await serve(() => undefined);
  const chain = chainOf([await downUrl(), silent.url]);
  const begin = performance.now();
  const error: unknown = await chain.head().catch((thrown) => thrown);
  expect(performance.now() - begin).toBeLessThan(1500);
  expect(error).toBeInstanceOf(ChainUnreachableError);
  const lines: string[] = [];
  jsonLog(
    (line) => lines.push(line),
    () => new Date(),
  ).error('failed', error);
  expect(lines.join()).not.toContain('secret-key');
  expect((error as Error).message).not.toContain('127.0.0.1');
});

test('never asks two providers when the first one answers', async () => {
  const first = await healthy();
  const second = await healthy();
  await chainOf([first.url, second.url]).head();
  expect(second.server.requests).toEqual([]);
});

test('a node that knows the transaction already has taken it', async () => {
  const { url } = await healthy({
    eth_sendRawTransaction: { error: { code: -32000, message: 'already known' } },
  });
  await expect(chainOf([url]).send('0x02')).resolves.toBeUndefined();
});

test('a transaction refused is not called sent, and is nowhere in the log', async () => {
  const { url } = await healthy({
    eth_sendRawTransaction: { error: { code: -32000, message: 'nonce too low' } },
  });
  const raw = `0x02${'ef'.repeat(200)}` as const;
  const error: unknown = await chainOf([url])
    .send(raw)
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ChainUnreachableError);
  const lines: string[] = [];
  jsonLog(
    (line) => lines.push(line),
    () => new Date(),
  ).error('failed', error);
  expect(lines.join()).toContain('nonce too low');
  expect(lines.join()).not.toContain('efefefef');
});
