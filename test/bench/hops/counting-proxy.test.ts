import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LoopbackProxy } from '../../../local/process/loopback-proxy.ts';
import { type RecordedRequest, startCountingProxy } from './counting-proxy.ts';
import { sequentialHops } from './sequential-hops.ts';

const delayMs = 30;

let recorded: RecordedRequest[];
let received: { url: string | undefined; authorization: string | undefined; body: string }[];
let answer: { status: number; body: object };
let proxy: LoopbackProxy;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url, headers } = request;
  received.push({ url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
});

beforeEach(async () => {
  recorded = [];
  received = [];
  answer = { status: 200, body: {} };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy = await startCountingProxy({ target, delayMs: () => delayMs, record: (one) => recorded.push(one) });
});

afterEach(async () => {
  await proxy.close();
  server.close();
  server.closeAllConnections();
});

function post(body: object, target?: string): Promise<Response> {
  const headers = { authorization: 'signed', ...(target ? { 'x-amz-target': target } : {}) };
  return fetch(`${proxy.url}/path?query`, { method: 'POST', headers, body: JSON.stringify(body) });
}

test('passes a request on and its answer back', async () => {
  answer = { status: 400, body: { __type: 'TaskDoesNotExist' } };
  const response = await post({ taskToken: 'token' }, 'AWSStepFunctions.SendTaskSuccess');
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ __type: 'TaskDoesNotExist' });
  const body = JSON.stringify({ taskToken: 'token' });
  expect(received).toEqual([{ url: '/path?query', authorization: 'signed', body }]);
});

test('records service, action and calls of each request', async () => {
  await post({ Name: 'n' }, 'AmazonSSM.GetParameter');
  await post({ KeyId: 'k' }, 'TrentService.Sign');
  await post([{ method: 'eth_call' }, { method: 'eth_chainId' }]);
  expect(recorded.map(({ service, operation, calls }) => [service, operation, calls])).toEqual([
    ['SSM', 'GetParameter', 1],
    ['KMS', 'Sign', 1],
    ['chain', 'eth_call+eth_chainId', 2],
  ]);
});

test('asks DynamoDB for the units it consumes and records them as reads or writes', async () => {
  answer = { status: 200, body: { ConsumedCapacity: { CapacityUnits: 3 } } };
  await post({ TableName: 't' }, 'DynamoDB_20120810.UpdateItem');
  answer = { status: 200, body: { ConsumedCapacity: [{ CapacityUnits: 1 }, { CapacityUnits: 0.5 }] } };
  await post({ RequestItems: {} }, 'DynamoDB_20120810.BatchGetItem');
  expect(received[0]?.body).toBe(JSON.stringify({ TableName: 't', ReturnConsumedCapacity: 'TOTAL' }));
  expect(recorded.map(({ units }) => units)).toEqual([
    { read: 0, write: 3 },
    { read: 1.5, write: 0 },
  ]);
});

test('delays each request, and shows which waited for which', async () => {
  await post({ method: 'eth_blockNumber' });
  await Promise.all([post({ method: 'eth_call' }), post({ method: 'eth_call' })]);
  await post({ method: 'eth_blockNumber' });
  expect(recorded).toHaveLength(4);
  for (const { startedAtMs, endedAtMs } of recorded) {
    expect(endedAtMs - startedAtMs).toBeGreaterThanOrEqual(delayMs - 1);
  }
  expect(sequentialHops(recorded)).toBe(3);
});

test('breaks the connection for a request of an unknown service, so that it cannot go uncounted', async () => {
  await expect(post({}, 'Mystery.Action')).rejects.toThrow();
  expect(recorded).toEqual([]);
});
