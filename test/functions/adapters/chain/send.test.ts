import { expect, test } from 'vitest';
import { ChainUnreachableError, TransactionRefusedError } from '../../../../functions/domain/errors.ts';
import { answeringServer } from '../../../fakes/rpc/answering-server.ts';
import {
  blockHash,
  chainOf,
  errorOf,
  logTextOf,
  shortTimeout,
  startHealthy,
  startRawRpc,
  startRpc,
  startStatus,
  unusedUrl,
} from './providers.ts';

test('every provider receives the transaction', async () => {
  const accepting = { eth_sendRawTransaction: { result: blockHash } };
  const providers = [
    await startHealthy(accepting),
    await startHealthy(accepting),
    await startHealthy(accepting),
  ];
  await chainOf(providers.map(({ url }) => url)).send('0x02');
  for (const { server } of providers) {
    expect(server.requests.flat()).toEqual(['eth_chainId', 'eth_sendRawTransaction']);
  }
});

test.each<[string, () => Promise<{ url: string }>]>([
  ['is down', async () => ({ url: await unusedUrl() })],
  [
    'refuses it',
    () => startHealthy({ eth_sendRawTransaction: { error: { code: -32000, message: 'full' } } }),
  ],
  ['never answers', () => startRpc(() => undefined)],
  ['sends garbage', () => startHealthy({ eth_sendRawTransaction: { result: { ok: true } } })],
])('a transaction counts as sent when one provider accepts it and the other %s', async (_, other) => {
  const { url } = await other();
  const second = await startHealthy({ eth_sendRawTransaction: { result: blockHash } });
  await expect(chainOf([url, second.url]).send('0x02')).resolves.toBeUndefined();
  await expect(chainOf([second.url, url]).send('0x02')).resolves.toBeUndefined();
});

test('a provider of another chain does not receive the transaction', async () => {
  const other = await startHealthy({ eth_chainId: { result: '0x1' } });
  const second = await startHealthy({ eth_sendRawTransaction: { result: blockHash } });
  await chainOf([other.url, second.url]).send('0x02');
  expect(other.server.requests.flat()).not.toContain('eth_sendRawTransaction');
});

test('a transaction that a node already knows counts as sent', async () => {
  const { url } = await startHealthy({
    eth_sendRawTransaction: { error: { code: -32000, message: 'already known' } },
  });
  await expect(chainOf([await unusedUrl(), url]).send('0x02')).resolves.toBeUndefined();
});

test('a send that no provider accepts fails, and the log prints the cause without the transaction', async () => {
  const { url } = await startHealthy({
    eth_sendRawTransaction: { error: { code: -32000, message: 'nonce too low' } },
  });
  const error = await errorOf(chainOf([await unusedUrl(), url]).send(`0x02${'ef'.repeat(200)}`));
  expect(error).toBeInstanceOf(ChainUnreachableError);
  expect(logTextOf(error)).toContain('nonce too low');
  expect(logTextOf(error)).not.toContain('efefefef');
});

test.each([
  ['geth, reth, Erigon', 'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)'],
  ['Besu', 'Transaction fee cap exceeded'],
  ['geth, reth, anvil', 'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1'],
  ['Besu, about the balance', 'Upfront cost exceeds account balance (transaction upfront cost 0x2)'],
  ['older versions of Arbitrum', 'not enough funds for gas'],
  ['EDR', "sender doesn't have enough funds to send tx"],
  ['Nethermind', 'InsufficientFunds, Balance is 1 less than sending value + gas 2'],
])('a transaction too expensive for every node is refused, with the message of %s', async (_, message) => {
  const refusing = { eth_sendRawTransaction: { error: { code: -32000, message } } };
  const [first, second] = [await startHealthy(refusing), await startHealthy(refusing)];
  const chain = chainOf([first.url, second.url], { retries: 2 });
  await expect(chain.send('0x02')).rejects.toThrow(TransactionRefusedError);
  expect(first.server.requests.flat()).toEqual(['eth_chainId', 'eth_sendRawTransaction']);
});

const tooCostly = {
  eth_sendRawTransaction: { error: { code: -32000, message: 'insufficient funds for gas * price + value' } },
};

const refusedKey = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32_600, message: 'no such key' },
});

test.each([
  ['is down', unusedUrl],
  ['no longer accepts the API key', () => startStatus(401)],
  ['refuses the API key in a JSON-RPC answer', () => startStatus(403, refusedKey)],
  ['has closed the account', () => startStatus(402)],
  ['is no longer at its URL', () => startStatus(404)],
])('a transaction is refused when one provider %s and the others refuse its cost', async (_, gone) => {
  const { url } = await startHealthy(tooCostly);
  const dead = await gone();
  await expect(chainOf([dead, url]).send('0x02')).rejects.toThrow(TransactionRefusedError);
  await expect(chainOf([dead, dead]).send('0x02')).rejects.toThrow(ChainUnreachableError);
});

test.each([
  ['does not answer in time', async () => (await startRpc(() => undefined)).url],
  ['is overloaded', () => startStatus(429)],
  ['fails with a server error', () => startStatus(502)],
  [
    'closes the connection while it answers',
    () =>
      startRawRpc(() => {
        throw new Error('broken off');
      }),
  ],
])(
  'a transaction may have been sent when one provider %s and another refuses it',
  async (_, startUnclear) => {
    const { url } = await startHealthy(tooCostly);
    await expect(chainOf([url, await startUnclear()], shortTimeout).send('0x02')).rejects.toThrow(
      ChainUnreachableError,
    );
  },
);

test('a transaction may have been sent by a provider that was overloaded before it refused the API key', async () => {
  const { url } = await startHealthy(tooCostly);
  const statuses = [429, 401];
  const unclear = await answeringServer(() => ({ status: statuses.shift() ?? 401, body: '' }));
  const send = chainOf([url, unclear], { retries: 1 }).send('0x02');
  await expect(send).rejects.toThrow(ChainUnreachableError);
  expect(statuses).toEqual([]);
});

test('a send that every provider answers with malformed data fails', async () => {
  const { url } = await startHealthy({ eth_sendRawTransaction: { result: { ok: true } } });
  await expect(chainOf([url]).send('0x02')).rejects.toThrow(ChainUnreachableError);
});
