import { type Address, hashMessage, recoverMessageAddress } from 'viem';
import { expect, test } from 'vitest';
import { fundedAccount } from '../../../../contracts/test/chain/chain.ts';
import { chain, useChain } from '../../../../contracts/test/chain/use-chain.ts';
import vectors from '../../../../test/vectors/authority-message.json' with { type: 'json' };
import { authorityMessage, checkSignature, parseDomain } from '../../src/verifier.ts';
import { since } from './entries.ts';

const addressOf = (text: string) => text as `0x${string}`;

test.each(vectors.messages)('`checkSignature` accepts the vector "$name"', async (vector) => {
  const { domain, asciiDomain, chainIds, since, message, hash } = vector;
  const [address, signature] = [addressOf(vector.address), addressOf(vector.signature)];
  expect(parseDomain(domain)).toBe(asciiDomain);
  for (const name of [domain, asciiDomain])
    expect(authorityMessage({ domain: name, address, chainIds, since })).toBe(message);
  expect(hashMessage(message)).toBe(hash);
  expect(await recoverMessageAddress({ message, signature })).toBe(address);
  const entry = { address, chainIds, since, until: null, signature };
  expect(await checkSignature(domain, entry, chainIds[0] ?? 0)).toBe('valid');
});

test('a signature of another message is unknown without a provider', async () => {
  const [vector] = vectors.messages;
  if (!vector) throw new Error('there is no vector');
  const { domain, chainIds, since } = vector;
  const [address, signature] = [addressOf(vector.address), addressOf(vector.signature)];
  const entry = { address, chainIds, since, until: null, signature };
  const [chainId = 0] = chainIds;
  const check = (name: string, changes: object) => checkSignature(name, { ...entry, ...changes }, chainId);
  expect(await check(domain, { until: '2027-01-01T00:00:00Z' })).toBe('valid');
  expect(await check('example.com', {})).toBe('unknown');
  for (const changes of [
    { chainIds: [8453, 8454] },
    { since: '2026-11-22T00:00:01Z' },
    { address: fundedAccount(2).address },
    { signature: `${signature.slice(0, -2)}1b` },
    { signature: `${signature.slice(0, -2)}01` },
    { signature: `${signature}00` },
    { signature: signature.slice(0, -2) },
    { signature: `0x${'00'.repeat(64)}1b` },
  ])
    expect(await check(domain, changes), JSON.stringify(changes)).toBe('unknown');
});

const domain = 'example.org';
const wallet: Address = '0x1111111111111111111111111111111111111111';
useChain();
/** An entry whose signature only the contract can check. */
const entry = { address: wallet, chainIds: [31_337], since, until: null, signature: '0x1234' } as const;

const messageHash = (name: string) =>
  hashMessage(authorityMessage({ domain: name, address: wallet, chainIds: [31_337], since })).slice(2);
/** A contract whose `isValidSignature` returns the magic value for only this hash, and zero for others. */
const accepts = (hash: string) => `0x7f${hash}60043514631626ba7e60e01b025f5260205ff3` as const;

test.each([
  ['the contract accepts it', accepts(messageHash(domain)), 'valid'],
  ['the contract accepts another message', accepts(messageHash('example.com')), 'invalid'],
  ['the contract reverts', '0x5f5ffd', 'invalid'],
  ['the contract returns nothing', '0x00', 'invalid'],
  ['the contract returns only four bytes', '0x631626ba7e5f526004601cf3', 'invalid'],
  ['there is no contract', '0x', 'invalid'],
] as const)('`checkSignature` returns the correct state if %s', async (_, code, state) => {
  await chain.client.setCode({ address: wallet, bytecode: code });
  const options = { providers: [chain.rpcUrl] };
  expect(await checkSignature(domain, entry, 31_337, options)).toBe(state);
});

test('`checkSignature` ignores other chains, and needs a majority', async () => {
  await chain.client.setCode({ address: wallet, bytecode: accepts(messageHash(domain)) });
  const check = (chainId: number, providers: readonly string[]) =>
    checkSignature(domain, entry, chainId, { providers, timeoutMilliseconds: 5_000 });
  expect(await check(8453, [chain.rpcUrl])).toBe('unknown');
  expect(await check(31_337, [])).toBe('unknown');
  expect(await check(31_337, [chain.rpcUrl, 'http://127.0.0.1:1'])).toBe('unknown');
  expect(await check(31_337, [chain.rpcUrl, chain.rpcUrl, 'http://127.0.0.1:1'])).toBe('valid');
});
