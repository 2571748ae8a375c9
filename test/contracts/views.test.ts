import { zeroAddress, zeroHash } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attest, draft, hash } from './attest.ts';
import { author, other, type RegistryFixture, startRegistry, stranger, third } from './registry.ts';

let registry: RegistryFixture;
const timestamps: bigint[] = [];
const nothing = [zeroHash, zeroHash, zeroHash, zeroAddress, 0n, 0n, zeroHash];

// Indices 1, 2 and 4 are of one content, by three authorities; 3 is of the zero digest.
beforeAll(async () => {
  registry = await startRegistry();
  for (const attestation of [
    draft(author, { parent: hash(80) }),
    draft(other, { quoteRoot: hash(81) }),
    draft(author, { digest: zeroHash }),
    draft(third, { quoteRoot: hash(82), parent: hash(83) }),
  ]) {
    timestamps.push((await attest(registry, attestation)).timestamp);
  }
});
afterAll(() => registry.stop());

test('show each attestation as it was revealed', async () => {
  const [first, second, third_, fourth] = timestamps;
  expect(await registry.view.attestations([1n])).toEqual([
    hash(1),
    hash(2),
    hash(80),
    author,
    first,
    0n,
    zeroHash,
  ]);
  expect(await registry.view.attestations([2n])).toEqual([
    hash(1),
    hash(81),
    zeroHash,
    other,
    second,
    0n,
    zeroHash,
  ]);
  expect(await registry.view.attestations([3n])).toEqual([
    zeroHash,
    hash(2),
    zeroHash,
    author,
    third_,
    0n,
    zeroHash,
  ]);
  expect(await registry.view.attestations([4n])).toEqual([
    hash(1),
    hash(82),
    hash(83),
    third,
    fourth,
    0n,
    zeroHash,
  ]);
});

test.each([0n, 5n, 2n ** 48n, 2n ** 48n + 1n, 2n ** 256n - 1n])('show nothing at index %s', async (index) => {
  expect(await registry.view.attestations([index])).toEqual(nothing);
});

test('list the attestations of a content by order of reveal', async () => {
  const indices = [0n, 1n, 2n].map((k) => registry.view.cidToAttestationIndices([hash(1), k]));
  expect(await Promise.all(indices)).toEqual([1n, 2n, 4n]);
  expect(await registry.view.cidToAttestationIndices([zeroHash, 0n])).toBe(3n);
});

test.each([
  { digest: hash(1), k: 3n },
  { digest: hash(1), k: 2n ** 256n - 1n },
  { digest: zeroHash, k: 1n },
  { digest: hash(84), k: 0n },
])('revert past the end of a content: position $k', async ({ digest, k }) => {
  const error = await registry.viewError(registry.view.cidToAttestationIndices([digest, k]));
  expect(error).toEqual({ errorName: 'AttestationIndexMissing', args: [digest, k] });
});

test.each([
  { digest: hash(1), authority: author, index: 1n },
  { digest: hash(1), authority: other, index: 2n },
  { digest: zeroHash, authority: author, index: 3n },
  { digest: hash(1), authority: third, index: 4n },
  { digest: hash(1), authority: stranger, index: 0n },
  { digest: zeroHash, authority: other, index: 0n },
  { digest: hash(84), authority: author, index: 0n },
  { digest: hash(84), authority: zeroAddress, index: 0n },
])('find index $index by content and authority', async ({ digest, authority, index }) => {
  expect(await registry.view.cidAndAddressToAttestationIndices([digest, authority])).toBe(index);
});

test('give the reveal delay and the revocation period in seconds', async () => {
  expect(await registry.view.revealDelaySeconds()).toBe(60n);
  expect(await registry.view.revocationPeriodSeconds()).toBe(604_800n);
});
