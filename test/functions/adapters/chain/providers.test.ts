import { zeroHash } from 'viem';
import { expect, test } from 'vitest';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import {
  block,
  chainOf,
  errorOf,
  logTextOf,
  type Method,
  registryAddress,
  shortTimeout,
  signerAddress,
  startDelayed,
  startHealthy,
  startRawRpc,
  startRpc,
  unusedUrl,
} from './providers.ts';

const hashOf = (digit: string) => `0x${digit.repeat(64)}`;

const head = { number: 16, timestamp: 32 };

test('a provider’s chain ID is checked once, before its first use', async () => {
  const { server, url } = await startHealthy();
  const chain = chainOf([url]);
  expect(await chain.head()).toEqual(head);
  await chain.head();
  expect(server.requests).toEqual([['eth_chainId'], ['eth_getBlockByNumber'], ['eth_getBlockByNumber']]);
});

test.each<[string, () => Promise<{ url: string }>]>([
  ['is down', async () => ({ url: await unusedUrl() })],
  ['serves another chain', () => startHealthy({ eth_chainId: { result: '0x1' } })],
  ['sends garbage', () => startRpc(() => '<html>busy</html>')],
  ['sends JSON of the wrong form', () => startHealthy({ eth_getBlockByNumber: { result: {} } })],
  ['sends a number where a block belongs', () => startHealthy({ eth_getBlockByNumber: { result: '0x10' } })],
  ['answers with an error', () => startRpc(() => ({ error: { code: -32005, message: 'limit exceeded' } }))],
  ['never answers', () => startRpc(() => undefined)],
  ['never answers except for its chain ID', () => startHealthy({ eth_getBlockByNumber: () => undefined })],
])('the next provider answers when the first %s', async (_, first) => {
  const { url } = await first();
  const second = await startHealthy();
  expect(await chainOf([url, second.url], shortTimeout).head()).toEqual(head);
});

test('the provider that answered last gets the next request first', async () => {
  const first = await startHealthy({ eth_getBlockByNumber: { error: { code: -32000, message: 'no' } } });
  const second = await startHealthy();
  const chain = chainOf([first.url, second.url]);
  await chain.head();
  const requestCount = first.server.requests.length;
  await chain.head();
  expect(first.server.requests).toHaveLength(requestCount);
});

test('after a minute, another provider gets requests first, because a provider may be stuck on old answers', async () => {
  const stuck = await startHealthy();
  const live = await startHealthy({ eth_getBlockByNumber: { result: { ...block, number: '0x11' } } });
  let milliseconds = 0;
  const chain = chainOf([stuck.url, live.url], { now: () => milliseconds });
  const heads = [];
  for (milliseconds = 0; milliseconds <= 150_000; milliseconds += 30_000)
    heads.push((await chain.head()).number);
  expect(heads).toEqual([16, 16, 17, 17, 16, 16]);
});

test('all answers for a snapshot come from one provider', async () => {
  const first = await startHealthy({ eth_getTransactionCount: { error: { code: -32000, message: 'no' } } });
  const second = await startHealthy({
    eth_getBlockByNumber: { result: { ...block, number: '0x11', timestamp: '0x30' } },
    eth_getTransactionCount: { result: '0x9' },
  });
  const snapshot = await chainOf([first.url, second.url]).snapshot({
    signerAddress,
    hashes: [],
    blockNumbers: [],
  });
  expect(snapshot).toMatchObject({ head: { number: 17, timestamp: 48 }, minedCount: 9 });
  expect(first.server.requests.flat()).toContain('eth_getBlockByNumber');
});

test('a revert is an answer, and no other provider gets the request', async () => {
  const first = await startHealthy({ eth_call: { error: { code: 3, message: 'execution reverted' } } });
  const second = await startHealthy({ eth_call: { result: '0x' } });
  const call = { from: signerAddress, to: signerAddress, data: '0x' } as const;
  const reason = await chainOf([first.url, second.url], { retries: 2 }).atFinal((view) =>
    view.revertReasons([call], signerAddress),
  );
  expect(reason).toEqual(['the registry refused the call']);
  expect(second.server.requests).toEqual([]);
  expect(first.server.requests).toHaveLength(3);
});

test('a slow provider gets no more than its share of time for a series of requests', async () => {
  const transactions = (digit: string) => [{ hash: hashOf(digit), from: signerAddress, nonce: '0x7' }];
  const history = (digit: string): Record<string, Method> => ({
    eth_getBlockByNumber: ([tag]) => ({
      result: { ...block, number: tag === 'latest' ? '0x3e8' : tag, transactions: transactions(digit) },
    }),
    eth_getTransactionCount: ([, tag]) => ({ result: Number(tag) < 500 ? '0x7' : '0x9' }),
  });
  const late = await startDelayed((await startHealthy(history('a'))).url, 500);
  const second = await startHealthy(history('b'));
  const chain = chainOf([late, second.url], shortTimeout);
  expect(await chain.transactionByNonce(signerAddress, 7)).toBe(hashOf('b'));
});

test('requests are repeated as often as configured when no provider answered', async () => {
  let refusals = 2;
  const busy = { error: { code: -32005, message: 'limit exceeded' } };
  const { url } = await startHealthy({
    eth_getBlockByNumber: () => (refusals-- > 0 ? busy : { result: block }),
  });
  const chain = chainOf([url, await unusedUrl()], { retries: 1 });
  await expect(chain.head()).rejects.toThrow(ChainUnreachableError);
  expect(await chain.head()).toEqual(head);
});

test('a provider that recovers is used again', async () => {
  let served = '0x1';
  const { url } = await startHealthy({ eth_chainId: () => ({ result: served }) });
  const chain = chainOf([url]);
  await expect(chain.head()).rejects.toThrow(ChainUnreachableError);
  served = '0x7a69';
  expect(await chain.head()).toEqual(head);
});

test('the error of an unreachable chain contains each provider’s cause, without its URL', async () => {
  const silent = await startRpc(() => undefined);
  const busy = await startRpc(() => ({ error: { code: -32005, message: 'limit exceeded' } }));
  const urls = [await unusedUrl(), silent.url, busy.url];
  const error = await errorOf(chainOf(urls, shortTimeout).head());
  expect(error).toBeInstanceOf(ChainUnreachableError);
  const { cause } = error as Error;
  expect(logTextOf(error)).toContain('fetch failed');
  expect(logTextOf(error)).toMatch(/timed out|no answer in/);
  expect(logTextOf(error)).toContain('limit exceeded');
  for (const message of [(error as Error).message, (cause as Error).message]) {
    expect(message).not.toContain('127.0.0.1');
    expect(message).not.toContain('secret-key');
  }
});

test('an answer with another block than the requested one is not valid', async () => {
  const { url } = await startHealthy({ eth_getBlockByNumber: { result: { ...block, hash: zeroHash } } });
  await expect(chainOf([url], { confirmations: 3 }).atFinal(async (view) => view.block)).rejects.toThrow(
    ChainUnreachableError,
  );
});

/** Reads the nonces of two accounts from a provider that changes the right answers to a batch. */
async function countsFromChanged(change: (answers: { id: number }[]) => unknown): Promise<readonly number[]> {
  const { url } = await startHealthy({
    eth_getTransactionCount: ([address]) => ({ result: address === signerAddress ? '0x5' : '0x7' }),
  });
  const changing = await startRawRpc(async (body) => {
    const answers: unknown = await (await fetch(url, { method: 'POST', body })).json();
    return JSON.stringify(Array.isArray(answers) && answers.length > 1 ? change(answers) : answers);
  });
  return chainOf([changing]).atFinal((view) =>
    Promise.all([view.minedCount(signerAddress), view.minedCount(registryAddress)]),
  );
}

test.each<[string, (answers: { id: number }[]) => unknown]>([
  ['leaves out an answer', ([, ...others]) => others],
  ['repeats one answer and leaves out another', ([, ...others]) => [...others, ...others.slice(0, 1)]],
  [
    'refuses the whole batch with one error',
    () => ({ id: null, error: { code: -32_005, message: 'too many' } }),
  ],
])('the answer to a batch is not valid if the provider %s', async (_, change) => {
  await expect(countsFromChanged(change)).rejects.toThrow(ChainUnreachableError);
});

test('the answers to a batch may come in any order', async () => {
  expect(await countsFromChanged((answers) => answers.reverse())).toEqual([5, 7]);
});

test.each([
  [1, [1, 1, 1]],
  [2, [1, 2]],
  [50, [3]],
])('a request holds at most %i calls', async (rpcBatchSize, sizes) => {
  const { server, url } = await startHealthy();
  const chain = chainOf([url], { rpcBatchSize });
  await chain.head();
  server.requests.length = 0;
  await chain.snapshot({ signerAddress, hashes: [], blockNumbers: [16] });
  expect(server.requests.map(({ length }) => length).sort()).toEqual(sizes);
});
