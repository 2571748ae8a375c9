import { type Address, hashMessage } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChain, type TestChain } from '../../../../contracts/test/chain/chain.ts';
import { authorityMessage, checkSignature } from '../../src/verifier.ts';
import { contractEntry, since } from './entries.ts';

const domain = 'example.org';
const wallet: Address = '0x1111111111111111111111111111111111111111';
let chain: TestChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

const messageHash = (name: string) =>
  hashMessage(authorityMessage({ domain: name, address: wallet, chainIds: [31_337], since })).slice(2);
/** A contract whose `isValidSignature` gives the magic value for this one hash, zero for others. */
const takes = (hash: string) => `0x7f${hash}60043514631626ba7e60e01b025f5260205ff3` as const;

test.each([
  ['the contract takes it', takes(messageHash(domain)), 'valid'],
  ['the contract took another message', takes(messageHash('example.com')), 'invalid'],
  ['the contract reverts', '0x5f5ffd', 'invalid'],
  ['the contract answers nothing', '0x00', 'invalid'],
  ['the contract answers four bytes alone', '0x631626ba7e5f526004601cf3', 'invalid'],
  ['there is no contract', '0x', 'invalid'],
] as const)('where %s, the signature is said to be so', async (_, code, state) => {
  await chain.client.setCode({ address: wallet, bytecode: code });
  const options = { providers: [chain.rpcUrl] };
  expect(await checkSignature(domain, contractEntry(wallet), 31_337, options)).toBe(state);
});

test('nobody is believed who serves another chain, nor one of two alone', async () => {
  await chain.client.setCode({ address: wallet, bytecode: takes(messageHash(domain)) });
  const check = (chainId: number, providers: readonly string[]) =>
    checkSignature(domain, contractEntry(wallet), chainId, { providers, timeoutMilliseconds: 5_000 });
  expect(await check(8453, [chain.rpcUrl])).toBe('unknown');
  expect(await check(31_337, [])).toBe('unknown');
  expect(await check(31_337, [chain.rpcUrl, 'http://127.0.0.1:1'])).toBe('unknown');
  expect(await check(31_337, [chain.rpcUrl, chain.rpcUrl, 'http://127.0.0.1:1'])).toBe('valid');
});

test('providers that disagree say nothing', async () => {
  const other = await startChain();
  try {
    await chain.client.setCode({ address: wallet, bytecode: takes(messageHash(domain)) });
    const options = { providers: [chain.rpcUrl, other.rpcUrl] };
    expect(await checkSignature(domain, contractEntry(wallet), 31_337, options)).toBe('unknown');
  } finally {
    await other.stop();
  }
});
