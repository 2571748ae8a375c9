import { hashMessage, recoverMessageAddress } from 'viem';
import { expect, test } from 'vitest';
import { fundedAccount } from '../../../../contracts/test/chain/chain.ts';
import vectors from '../../../../test/vectors/authority-message.json' with { type: 'json' };
import { authorityMessage, checkSignature, parseDomain } from '../../src/verifier.ts';

const addressOf = (text: string) => text as `0x${string}`;

test.each(vectors.messages)('$name', async (vector) => {
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

test('a signature of anything else is not valid, and without a provider not known to be invalid', async () => {
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
