import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { receiptsHidden, refusing, sendsForgotten, stale, wrongChain } from '../fakes/rpc/rpc-answers.ts';
import { askAt } from '../fakes/rpc/rpc-call.ts';
import { RpcProxy } from '../fakes/rpc/rpc-proxy.ts';
import { RpcServer } from '../fakes/rpc/rpc-server.ts';

const head = 10;

/** A node whose answers tell what it was asked. */
const node = new RpcServer(({ method, params }) => {
  if (method === 'eth_blockNumber') return { result: '0xa' };
  if (method === 'eth_getTransactionReceipt') return { result: { blockNumber: params?.[0] } };
  if (method === 'eth_refused') return { error: { code: -32000, message: 'no' } };
  return { result: [method, ...(params ?? [])] };
});
const nodeUrl = await node.start();

let proxy: RpcProxy;

beforeEach(async () => {
  node.requests.length = 0;
  proxy = await RpcProxy.start(nodeUrl);
});

afterEach(() => proxy.stop());

afterAll(() => node.stop());

const ask = (method: string, ...params: unknown[]) => askAt(proxy.url)(method, params);

async function post(body: unknown): Promise<Response> {
  return fetch(proxy.url, { method: 'POST', body: JSON.stringify(body) });
}

async function postBatch(...methods: string[]): Promise<{ id: string; result: unknown }[]> {
  const response = await post(methods.map((method) => call(method)));
  return (await response.json()) as { id: string; result: unknown }[];
}

const call = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: method, method, params });

test('passes a call on, and the node’s result or error back', async () => {
  expect(await ask('eth_call', 1)).toEqual(['eth_call', 1]);
  await expect(ask('eth_refused')).rejects.toThrow('no');
});

test('passes a batch on in one request, and counts its methods', async () => {
  const answers = await postBatch('eth_a', 'eth_b', 'eth_a');
  expect(answers.map(({ id }) => id)).toEqual(['eth_a', 'eth_b', 'eth_a']);
  expect(node.requests).toEqual([['eth_a', 'eth_b', 'eth_a']]);
  expect([...proxy.counts]).toEqual([
    ['eth_a', 2],
    ['eth_b', 1],
  ]);
});

test('a dropped request never reaches the node', async () => {
  proxy.set({ fault: { kind: 'request dropped' } });
  await expect(ask('eth_call')).rejects.toThrow('fetch failed');
  expect(node.requests).toEqual([]);
  expect(proxy.counts.get('eth_call')).toBe(1);
});

test('a dropped answer leaves the node with the request', async () => {
  proxy.set({ fault: { kind: 'answer dropped' } });
  await expect(ask('eth_call')).rejects.toThrow('fetch failed');
  expect(node.requests).toEqual([['eth_call']]);
});

test('garbage and refusals come as they would from a busy provider', async () => {
  proxy.set({ fault: { kind: 'garbage' }, times: 1 });
  expect(await (await post(call('eth_call'))).text()).toBe('<html>busy</html>');
  proxy.set({ fault: { kind: 'refused', status: 429 }, times: 1 });
  expect((await post(call('eth_call'))).status).toBe(429);
  expect(node.requests).toHaveLength(1);
});

test('a delayed request is passed on when its time has come', async () => {
  proxy.set({ fault: { kind: 'delayed', milliseconds: 20 } });
  expect(await ask('eth_call')).toEqual(['eth_call']);
});

test('a rule befalls its methods alone, so often as it says, and until it is lifted', async () => {
  const drop = { kind: 'request dropped' } as const;
  proxy.set({ fault: drop, methods: ['eth_a'], times: 1 });
  await ask('eth_b');
  await expect(ask('eth_a')).rejects.toThrow();
  await ask('eth_a');
  const lift = proxy.set({ fault: drop, methods: ['eth_a'] });
  await expect(postBatch('eth_b', 'eth_a')).rejects.toThrow();
  lift();
  await ask('eth_a');
  proxy.set({ fault: drop });
  proxy.clear();
  await ask('eth_a');
});

test('one call of a batch can be answered for the node', async () => {
  proxy.set(wrongChain(5));
  const answers = await postBatch('eth_chainId', 'eth_b');
  expect(answers.map(({ result }) => result)).toEqual(['0x5', ['eth_b']]);
  expect(node.requests).toEqual([['eth_b']]);
});

test('receipts can be hidden, sends forgotten, and calls refused', async () => {
  proxy.set(receiptsHidden);
  expect(await ask('eth_getTransactionReceipt', '0x1')).toBeNull();
  proxy.set(sendsForgotten);
  expect(await ask('eth_sendRawTransaction', '0x00')).toMatch(/^0x[0-9a-f]{64}$/);
  proxy.set(refusing(-32005, 'limit exceeded', ['eth_call']));
  await expect(ask('eth_call')).rejects.toThrow('limit exceeded');
  expect(node.requests).toEqual([]);
});

test('a stale provider answers as of blocks ago', async () => {
  proxy.set(stale(3));
  expect(Number(await ask('eth_blockNumber'))).toBe(head - 3);
  expect(await ask('eth_getBlockByNumber', 'latest', false)).toEqual(['eth_getBlockByNumber', '0x7', false]);
  expect(await ask('eth_getBlockByNumber', '0x8', false)).toBeNull();
  expect(await ask('eth_getTransactionCount', '0xaa', 'latest')).toEqual([
    'eth_getTransactionCount',
    '0xaa',
    '0x7',
  ]);
  expect(await ask('eth_call', {}, '0x6')).toEqual(['eth_call', {}, '0x6']);
  await expect(ask('eth_call', {}, '0x9')).rejects.toThrow('header not found');
  expect(await ask('eth_getTransactionReceipt', '0x7')).not.toBeNull();
  expect(await ask('eth_getTransactionReceipt', '0x8')).toBeNull();
});

test('rules that answer are asked one after the other, the newest first', async () => {
  proxy.set(stale(3));
  proxy.set(stale(2));
  expect(Number(await ask('eth_blockNumber'))).toBe(head - 3 - 2);
});
