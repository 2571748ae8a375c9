import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { postJsonRpc, RpcRefusalError, RpcUnansweredError } from '../../src/chain/json-rpc.ts';

interface Reply {
  readonly status?: number;
  readonly body: string;
}

let replies: Reply[];
let received: unknown[];
let server: Server;
let url: string;
beforeEach(async () => {
  received = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push(JSON.parse(Buffer.concat(chunks).toString()));
    const { status = 200, body } = replies.shift() ?? { body: '' };
    response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const ask = () => postJsonRpc(url, { method: 'eth_chainId', params: [] });
const good: Reply = { body: '{"jsonrpc":"2.0","id":1,"result":"0x1"}' };

test('`postJsonRpc` sends a JSON-RPC request and returns the result', async () => {
  replies = [good];
  expect(await ask()).toBe('0x1');
  expect(received).toEqual([{ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }]);
});

test.each([429, 500, 503])('`postJsonRpc` tries three times if the status is %i', async (status) => {
  replies = [{ status, body: 'busy' }, { status, body: 'busy' }, good];
  expect(await ask()).toBe('0x1');
  replies = [1, 2, 3].map(() => ({ status, body: 'busy' }));
  await expect(ask()).rejects.toThrow(`returned HTTP ${status}`);
  expect(received).toHaveLength(6);
});

test.each([
  [{ status: 401, body: '{"error":"no key"}' }, 'returned HTTP 401'],
  [{ status: 404, body: '<html>' }, 'returned HTTP 404'],
  [{ status: 307, body: '' }, 'returned HTTP 307'],
  [{ body: '<html>' }, 'does not respond like a node'],
  [{ body: 'null' }, 'does not respond like a node'],
  [{ body: '{"jsonrpc":"2.0","id":1}' }, 'does not respond like a node'],
  [{ body: `{"result":"0x${'0'.repeat(9 * 1024 * 1024)}"}` }, 'does not respond like a node'],
])('`postJsonRpc` rejects $body without a retry', async (reply, message) => {
  replies = [reply];
  const failure: unknown = await ask().catch((error: unknown) => error);
  expect(failure).toEqual(new RpcUnansweredError(message));
  expect(received).toHaveLength(1);
});

test('`postJsonRpc` throws the error of a node with its code and data', async () => {
  replies = [
    { body: '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x01"}}' },
  ];
  const failure: unknown = await ask().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RpcRefusalError);
  expect(failure).toMatchObject({ code: 3, data: '0x01' });
});

test('`postJsonRpc` ignores an error that is not an object', async () => {
  replies = [{ body: '{"error":[],"result":"0x1"}' }];
  expect(await ask()).toBe('0x1');
});

test('`postJsonRpc` reports an unreachable node without its URL', async () => {
  const failure: unknown = await postJsonRpc('http://127.0.0.1:1/secret-key', {
    method: 'eth_chainId',
    params: [],
  }).catch((error: unknown) => error);
  expect(failure).toEqual(new RpcUnansweredError('does not answer'));
  expect(failure).not.toHaveProperty('cause');
});
