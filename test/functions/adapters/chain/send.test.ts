import { expect, test } from 'vitest';
import { ChainUnreachableError, TransactionRefusedError } from '../../../../functions/domain/errors.ts';
import {
  blockHash,
  chainOf,
  downUrl,
  failure,
  healthy,
  logged,
  serve,
  serveRaw,
  serveStatus,
  shortTimeout,
} from './providers.ts';

test('every provider receives the transaction', async () => {
  const accepting = { eth_sendRawTransaction: { result: blockHash } };
  const providers = [await healthy(accepting), await healthy(accepting), await healthy(accepting)];
  await chainOf(providers.map(({ url }) => url)).send('0x02');
  for (const { server } of providers) {
    expect(server.requests.flat()).toEqual(['eth_chainId', 'eth_sendRawTransaction']);
  }
});

test.each<[string, () => Promise<{ url: string }>]>([
  ['is down', async () => ({ url: await downUrl() })],
  ['refuses it', () => healthy({ eth_sendRawTransaction: { error: { code: -32000, message: 'full' } } })],
  ['never answers', () => serve(() => undefined)],
  ['sends garbage', () => healthy({ eth_sendRawTransaction: { result: { ok: true } } })],
])('a transaction is sent when one provider takes it and the other %s', async (_, other) => {
  const { url } = await other();
  const second = await healthy({ eth_sendRawTransaction: { result: blockHash } });
  await expect(chainOf([url, second.url]).send('0x02')).resolves.toBeUndefined();
  await expect(chainOf([second.url, url]).send('0x02')).resolves.toBeUndefined();
});

test('a provider of another chain does not receive the transaction', async () => {
  const other = await healthy({ eth_chainId: { result: '0x1' } });
  const second = await healthy({ eth_sendRawTransaction: { result: blockHash } });
  await chainOf([other.url, second.url]).send('0x02');
  expect(other.server.requests.flat()).not.toContain('eth_sendRawTransaction');
});

test('a node that already knows the transaction counts as accepting it', async () => {
  const { url } = await healthy({
    eth_sendRawTransaction: { error: { code: -32000, message: 'already known' } },
  });
  await expect(chainOf([await downUrl(), url]).send('0x02')).resolves.toBeUndefined();
});

test('a transaction that all refuse counts as not sent, and the log gives the cause without the transaction', async () => {
  const { url } = await healthy({
    eth_sendRawTransaction: { error: { code: -32000, message: 'nonce too low' } },
  });
  const error = await failure(chainOf([await downUrl(), url]).send(`0x02${'ef'.repeat(200)}`));
  expect(error).toBeInstanceOf(ChainUnreachableError);
  expect(logged(error)).toContain('nonce too low');
  expect(logged(error)).not.toContain('efefefef');
});

test.each([
  ['geth, reth, Erigon', 'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)'],
  ['Besu', 'Transaction fee cap exceeded'],
  ['geth, reth, anvil', 'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1'],
  ['Besu, of the account', 'Upfront cost exceeds account balance (transaction upfront cost 0x2)'],
  ['Arbitrum, once', 'not enough funds for gas'],
  ['EDR', "sender doesn't have enough funds to send tx"],
  ['Nethermind', 'InsufficientFunds, Balance is 1 less than sending value + gas 2'],
])('a transaction too expensive for every node is refused, in the words of %s', async (_, message) => {
  const refusing = { eth_sendRawTransaction: { error: { code: -32000, message } } };
  const [first, second] = [await healthy(refusing), await healthy(refusing)];
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
  ['is down', downUrl],
  ['does not know the key any more', () => serveStatus(401)],
  ['does not know the key, in the form of an answer', () => serveStatus(403, refusedKey)],
  ['has closed the account', () => serveStatus(402)],
  ['is no longer at its address', () => serveStatus(404)],
])('a transaction is refused when one provider %s and the others refuse its cost', async (_, gone) => {
  const { url } = await healthy(tooCostly);
  const dead = await gone();
  await expect(chainOf([dead, url]).send('0x02')).rejects.toThrow(TransactionRefusedError);
  await expect(chainOf([dead, dead]).send('0x02')).rejects.toThrow(ChainUnreachableError);
});

test.each([
  ['does not answer in time', async () => (await serve(() => undefined)).url],
  ['has more to do than it can', () => serveStatus(429)],
  ['fails while it answers', () => serveStatus(502)],
  [
    'breaks off as it answers',
    () =>
      serveRaw(() => {
        throw new Error('broken off');
      }),
  ],
])('a transaction may have been sent when one provider %s and another refuses it', async (_, doubtful) => {
  const { url } = await healthy(tooCostly);
  await expect(chainOf([url, await doubtful()], shortTimeout).send('0x02')).rejects.toThrow(
    ChainUnreachableError,
  );
});

test('a transaction that all answer with malformed data counts as not sent', async () => {
  const { url } = await healthy({ eth_sendRawTransaction: { result: { ok: true } } });
  await expect(chainOf([url]).send('0x02')).rejects.toThrow(ChainUnreachableError);
});
