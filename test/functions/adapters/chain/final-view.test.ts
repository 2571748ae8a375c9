import { encodeAbiParameters, zeroAddress, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import type { FinalView } from '../../../../functions/domain/chain.ts';
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

const quoteRoot = `0x${'7'.repeat(64)}`;
const otherHash = `0x${'2'.repeat(64)}`;

/** Data of an entry with these times. */
function entryData(timestamp: bigint, revokedAt = 0n) {
  const types = ['bytes32', 'bytes32', 'bytes32', 'address', 'uint256', 'uint256', 'bytes32'];
  return encodeAbiParameters(
    types.map((type) => ({ type })),
    [zeroHash, quoteRoot, zeroHash, signerAddress, timestamp, revokedAt, zeroHash],
  );
}

const entry = { quoteRoot, timestamp: 9, revokedAt: 0 };
const entryOf = (view: FinalView) => view.entry(registryAddress, 7);
const refusesHashes = { error: { code: -32_602, message: 'invalid argument 1: cannot unmarshal object' } };

/** Answers views by block number only, as nodes did before EIP-1898, and records the block parameters. */
function answerByNumberOnly(blocks: unknown[]): Method {
  return ([, block]) => {
    blocks.push(block);
    return typeof block === 'object' ? refusesHashes : { result: entryData(9n) };
  };
}

test('the final view is read by the hash of its block, which must be on the chain', async () => {
  const blocks: unknown[] = [];
  const recording = (result: string): Method => {
    return ([, block]) => ({ result: blocks.push(block) && result });
  };
  const methods = { eth_call: recording(entryData(9n, 10n)), eth_getTransactionCount: recording('0x5') };
  const { url } = await startHealthy(methods);
  const chain = chainOf([url]);
  expect(await chain.atFinal(entryOf)).toEqual({ quoteRoot, timestamp: 9, revokedAt: 10 });
  expect(await chain.atFinal((final) => final.minedCount(signerAddress))).toBe(5);
  expect(blocks).toEqual([1, 2].map(() => ({ blockHash, requireCanonical: true })));
});

test('the final view is read by block number from a provider that accepts no hashes, and the block is checked again', async () => {
  const blocks: unknown[] = [];
  const { server, url } = await startHealthy({ eth_call: answerByNumberOnly(blocks) });
  const chain = chainOf([url]);
  expect(await chain.atFinal(entryOf)).toEqual(entry);
  expect(await chain.atFinal(entryOf)).toEqual(entry);
  expect(blocks).toEqual([{ blockHash, requireCanonical: true }, '0x10', '0x10']);
  expect(server.requests.at(-1)).toEqual(['eth_call', 'eth_getBlockByNumber']);
});

test('a view by number fails when another block has that number', async () => {
  const { url } = await startHealthy({
    eth_call: answerByNumberOnly([]),
    eth_getBlockByNumber: ([tag]) => ({ result: tag === 'latest' ? block : { ...block, hash: otherHash } }),
  });
  await expect(chainOf([url]).atFinal(entryOf)).rejects.toThrow(ChainUnreachableError);
});

test('the final view comes from the next provider when the first no longer has the block', async () => {
  const missing = { error: { code: -32_000, message: 'hash is not currently canonical' } };
  const first = await startHealthy({ eth_call: missing });
  const second = await startHealthy({ eth_call: { result: entryData(9n) } });
  expect(await chainOf([first.url, second.url]).atFinal(entryOf)).toEqual(entry);
});

test.each([
  ['an entry of zeros', { result: entryData(0n) }],
  ['no entry', { error: { code: 3, message: 'execution reverted', data: '0x' } }],
] as const)(
  'a view with %s is rejected, because the provider returned the index of that entry',
  async (_, answer) => {
    const lacking = await startHealthy({ eth_call: answer });
    await expect(chainOf([lacking.url]).atFinal(entryOf)).rejects.toThrow(ChainUnreachableError);
    const second = await startHealthy({ eth_call: { result: entryData(9n) } });
    expect(await chainOf([lacking.url, second.url]).atFinal(entryOf)).toEqual(entry);
  },
);

test('the final view is of the provider’s finalized block if `confirmations` is "finalized"', async () => {
  const finalized = { ...block, number: '0x9', timestamp: '0x11' };
  const { server, url } = await startHealthy({
    eth_getBlockByNumber: ([tag]) => ({ result: tag === 'finalized' ? finalized : block }),
  });
  const { block: final } = await chainOf([url], { confirmations: 'finalized' }).atFinal(async (view) => view);
  expect(final).toEqual({ number: 9, timestamp: 17 });
  expect(server.requests.slice(1)).toEqual([['eth_getBlockByNumber']]);
});

test.each([
  { code: 429, message: 'compute units per second exceeded' },
  { code: -32_005, message: 'limit exceeded' },
])('the next provider gives the final view when one item of a batch gets error $code', async (error) => {
  let calls = 0;
  const first = await startHealthy({ eth_call: () => (++calls === 2 ? { error } : { result: '0x' }) });
  const second = await startHealthy({ eth_call: { result: '0x' } });
  const call = { from: signerAddress, to: zeroAddress, data: '0x' } as const;
  const reasons = await chainOf([first.url, second.url]).atFinal((view) =>
    view.revertReasons([call, call], signerAddress),
  );
  expect(reasons).toEqual([undefined, undefined]);
  expect(second.server.requests.flat().filter((method) => method === 'eth_call')).toHaveLength(2);
});
