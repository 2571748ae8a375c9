import { expect, test } from 'vitest';
import { type FakeAnswer, type FakeApi, fakeApi } from '../../../client/test/fake-api.ts';
import { postJsonRpc, RpcRefusalError, RpcUnansweredError } from '../../src/chain/json-rpc.ts';

const post = ({ url }: Pick<FakeApi, 'url'>) =>
  postJsonRpc(`${url}/secret-key`, { method: 'eth_chainId', params: [] });
const failureOf = (api: Pick<FakeApi, 'url'>): Promise<unknown> => post(api).catch((error: unknown) => error);
const good: FakeAnswer = [200, { jsonrpc: '2.0', id: 1, result: '0x1' }];

test('`postJsonRpc` sends a JSON-RPC request and returns the result', async () => {
  const api = await fakeApi(good);
  expect(await post(api)).toBe('0x1');
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
  expect(api.received.map(({ body }) => JSON.parse(body))).toEqual([request]);
});

test.each([429, 500, 503])('`postJsonRpc` tries three times if the status is %i', async (status) => {
  const busy: FakeAnswer = [status, 'busy'];
  expect(await post(await fakeApi(busy, busy, good))).toBe('0x1');
  const api = await fakeApi(busy);
  await expect(post(api)).rejects.toThrow(`returned HTTP ${status}`);
  expect(api.received).toHaveLength(3);
});

test.each([
  [401, '{"error":"no key"}', 'returned HTTP 401'],
  [404, '<html>', 'returned HTTP 404'],
  [307, '', 'returned HTTP 307'],
  [200, '<html>', 'does not respond like a node'],
  [200, 'null', 'does not respond like a node'],
  [200, '{"jsonrpc":"2.0","id":1}', 'does not respond like a node'],
  [200, `{"result":"0x${'0'.repeat(9 * 1024 * 1024)}"}`, 'does not respond like a node'],
])(
  '`postJsonRpc` rejects an unusable answer with HTTP %i without a retry (case %#)',
  async (status, body, message) => {
    const api = await fakeApi([status, body, { location: '/elsewhere' }]);
    expect(await failureOf(api)).toEqual(new RpcUnansweredError(message));
    expect(api.received).toHaveLength(1);
  },
);

test('`postJsonRpc` throws the error of a node with its code and data', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x01' };
  const failure = await failureOf(await fakeApi([200, { jsonrpc: '2.0', id: 1, error }]));
  expect(failure).toBeInstanceOf(RpcRefusalError);
  expect(failure).toMatchObject({ code: 3, data: '0x01' });
});

test('`postJsonRpc` ignores an error that is not an object', async () => {
  expect(await post(await fakeApi([200, { error: [], result: '0x1' }]))).toBe('0x1');
});

test('`postJsonRpc` reports an unreachable node without its URL', async () => {
  const failure = await failureOf({ url: 'http://127.0.0.1:1' });
  expect(failure).toEqual(new RpcUnansweredError('does not answer'));
  expect(failure).not.toHaveProperty('cause');
});
