import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import {
  block,
  blockHash,
  chainOf,
  type Method,
  registryAddress,
  signerAddress,
  startHealthy,
} from './providers.ts';

const refusal = { error: { code: -32000, message: 'missing trie node' } };

interface History {
  readonly head: number;
  /** Block with two transactions of the signer, which raise its transaction count from 7 to 9. */
  readonly usedIn: number;
  /** The provider has no state of blocks before this. */
  readonly stateFrom?: number;
}

const transactions = [
  { hash: `0x${'a'.repeat(64)}`, from: registryAddress, nonce: '0x7' },
  { hash: `0x${'b'.repeat(64)}`, from: signerAddress, nonce: '0x8' },
  { hash: blockHash, from: signerAddress.toUpperCase().replace('0X', '0x'), nonce: '0x7' },
];

function provider({ head, usedIn, stateFrom = 0 }: History, others: Readonly<Record<string, Method>> = {}) {
  return startHealthy({
    eth_getBlockByNumber: ([tag]) => {
      const number = tag === 'latest' ? numberToHex(head) : (tag as string);
      return { result: { ...block, number, transactions: Number(number) === usedIn ? transactions : [] } };
    },
    eth_getTransactionCount: ([, tag]) => {
      if (Number(tag) < stateFrom) return refusal;
      return { result: Number(tag) < usedIn ? '0x7' : '0x9' };
    },
    ...others,
  });
}

test.each<[string, History]>([
  ...Array.from({ length: 40 }, (_, index): [string, History] => [
    `in block ${index + 1}`,
    { head: 40, usedIn: index + 1 },
  ]),
  ['a million blocks ago with few requests', { head: 2_000_000, usedIn: 987_654 }],
  ['on a node that keeps the state of few blocks', { head: 1000, usedIn: 960, stateFrom: 930 }],
])('the search for the transaction of a nonce finds it %s', async (_, history) => {
  const { server, url } = await provider(history);
  expect(await chainOf([url]).transactionByNonce(signerAddress, 7)).toBe(blockHash);
  expect(server.requests.length).toBeLessThan(32);
});

test.each([
  ['used only after the final block', 12, 7],
  ['that is unused', 1, 9],
])(
  'the search for the transaction of a nonce returns nothing for a nonce %s',
  async (_, confirmations, nonce) => {
    const { url } = await provider({ head: 1000, usedIn: 990 });
    const chain = chainOf([url], { confirmations });
    expect(await chain.transactionByNonce(signerAddress, nonce)).toBeUndefined();
  },
);

const empty: Method = ([tag]) => ({
  result: { ...block, number: tag === 'latest' ? numberToHex(1000) : tag },
});

test.each<[string, History, Record<string, Method>]>([
  ['the final block’s state', { head: 1000, usedIn: 990, stateFrom: 1001 }, {}],
  ['the state of earlier blocks', { head: 1000, usedIn: 500, stateFrom: 900 }, {}],
  ['a block from before the nonce was used', { head: 1000, usedIn: 0 }, { eth_getBlockByNumber: empty }],
  ['the transaction', { head: 1000, usedIn: 990 }, { eth_getBlockByNumber: empty }],
])(
  'the search for the transaction of a nonce fails when the provider lacks %s',
  async (_, history, others) => {
    const { url } = await provider(history, others);
    await expect(chainOf([url]).transactionByNonce(signerAddress, 7)).rejects.toThrow(ChainUnreachableError);
  },
);

test('the search for the transaction of a nonce starts again at another provider when one lacks the state', async () => {
  const first = await provider({ head: 1000, usedIn: 500, stateFrom: 900 });
  const second = await provider({ head: 1000, usedIn: 500 });
  expect(await chainOf([first.url, second.url]).transactionByNonce(signerAddress, 7)).toBe(blockHash);
});
