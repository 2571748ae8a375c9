import { attestationRegistryRuntime } from 'imprimatur-contracts/attestation-registry-runtime';
import codeHashes from 'imprimatur-contracts/deploy/code-hashes.json' with { type: 'json' };
import { registryDeployment } from 'imprimatur-contracts/deploy/registry-deployment';
import { type Hex, keccak256 } from 'viem';
import { describe, expect, test } from 'vitest';
import { knownChains } from '../../src/chain/known-chains.ts';
import { knownCodes, knownRegistries, recognizeRegistry } from '../../src/chain/known-registries.ts';

const address = '0x00000000000000000000000000000000000c0de5';

describe('AttestationRegistry 2', () => {
  const version = 'AttestationRegistry 2';
  const [runtime, deployment] = [attestationRegistryRuntime, registryDeployment];
  const publishedHash = codeHashes.AttestationRegistry.runtimeCodeHash;
  const published = deployment(60);

  test('is recognized by the published code and address', () => {
    expect(recognizeRegistry(1, published.address, published.runtimeCode)).toEqual({
      codeHash: publishedHash,
      version,
      revealDelaySeconds: 60,
      codeIsKnown: true,
    });
  });

  test.each([0, 1, 59, 3600, 2 ** 47])('is recognized with a reveal delay of %i seconds', (delay) => {
    const { address, runtimeCode } = deployment(delay);
    expect(recognizeRegistry(1, address, runtimeCode)).toMatchObject({
      codeHash: keccak256(runtimeCode),
      version,
      revealDelaySeconds: delay,
    });
  });

  test('is not recognized at another address, where a different constructor may have filled the storage', () => {
    expect(recognizeRegistry(1, address, published.runtimeCode)).toMatchObject({
      codeHash: publishedHash,
      version: undefined,
      codeIsKnown: false,
    });
    expect(recognizeRegistry(1, deployment(61).address, published.runtimeCode)?.version).toBeUndefined();
  });

  test('is not recognized with different delays in its code', () => {
    const wordOf = (delay: number) => delay.toString(16).padStart(64, '0');
    const code: Hex = `0x${published.runtimeCode.slice(2).replace(wordOf(60), wordOf(61))}`;
    expect(code).not.toBe(deployment(61).runtimeCode);
    expect(recognizeRegistry(1, published.address, code)).toMatchObject({
      ...{ version: undefined, codeIsKnown: false },
    });
  });

  test('is not recognized with a changed, additional or missing byte', () => {
    const code = Buffer.from(published.runtimeCode.slice(2), 'hex');
    const inDelay = (offset: number) =>
      runtime.immutableOffsetsBytes.some((start) => offset >= start && offset < start + 32);
    const others = Array.from(code.keys())
      .filter((offset) => offset % 37 === 0 && !inDelay(offset))
      .map((offset) => Buffer.from(code).fill((code[offset] ?? 0) ^ 1, offset, offset + 1));
    for (const other of [...others, code.subarray(0, -1), Buffer.concat([code, Buffer.of(0)])])
      expect(recognizeRegistry(1, published.address, `0x${other.toString('hex')}`)?.version).toBeUndefined();
  });
});

test('`recognizeRegistry` recognizes the public deployment by chain and address only', () => {
  const publicAddress = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
  const version = 'the public deployment';
  for (const chainId of [1, 42_161, 8453, 11_155_111])
    expect(recognizeRegistry(chainId, publicAddress, '0x00')).toMatchObject({ version, codeIsKnown: false });
  expect(recognizeRegistry(31_337, publicAddress, '0x00')?.version).toBeUndefined();
  expect(recognizeRegistry(1, address, '0x00')?.version).toBeUndefined();
});

test('`knownRegistries` lists each version, and the public deployment on its chains', () => {
  const ours = [registryDeployment(60).address];
  expect(ours[0]).toBe(codeHashes.AttestationRegistry.address);
  expect(knownRegistries(31_337)).toEqual(ours);
  expect(knownRegistries(8453)).toEqual([...ours, '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381']);
  expect(ours).toHaveLength(knownCodes.length);
});

test('`recognizeRegistry` returns undefined without code', () => {
  expect(recognizeRegistry(1, '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381', '0x')).toBeUndefined();
});

test.each(Object.entries(knownChains))(
  'chain %s has three providers of different operators',
  (_, { providers }) => {
    const operators = providers.map((url) => new URL(url).hostname.split('.').slice(-2).join('.'));
    expect(new Set(operators).size).toBe(3);
    for (const url of providers) expect(url).toMatch(/^https:\/\/[a-z0-9.-]+(\/[a-z]+)*$/);
  },
);
