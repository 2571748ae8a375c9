import { type Address, concat, type Hex, keccak256, pad, toHex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { author, other } from '../../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../../contracts/test/chain/use-registry.ts';
import { type StateReader, StoredRegistry } from '../../src/proof/stored-registry.ts';

let stored: StoredRegistry;
useRegistry();
beforeAll(async () => {
  const { client } = registry.chain;
  const state: StateReader = {
    slot: async (address, slot) => pad((await client.getStorageAt({ address, slot })) ?? '0x'),
    code: async (address) => (await client.getCode({ address })) ?? '0x',
  };
  const found = StoredRegistry.ofVersion('AttestationRegistry 2', registry.address, state);
  if (!found) throw new Error('the layout is missing');
  stored = found;
});

const word = (value: bigint | number) => toHex(value, { size: 32 });
const slotOf = (slot: number, key: bigint | number | Hex): Hex =>
  keccak256(concat([typeof key === 'string' ? key : word(key), word(slot)]));
const digestOf = (index: number) => keccak256(word(index));

const store = (slot: Hex, value: bigint | Hex) =>
  registry.chain.client.setStorageAt({
    address: registry.address,
    index: slot,
    value: typeof value === 'string' ? value : word(value),
  });

/** Writes a page of these indices. The author was the first to attest their contents, except every fifth content. */
async function writePage(firstIndex: number, count: number): Promise<void> {
  const page: Address = pad(toHex(0xbad0000 + firstIndex), { size: 20 });
  const indices = Array.from({ length: count }, (_, position) => firstIndex + position);
  const records = indices.flatMap((index) => [digestOf(index), keccak256(digestOf(index))]);
  await registry.chain.client.setCode({ address: page, bytecode: concat(['0x00', ...records]) });
  await store(slotOf(1, firstIndex), BigInt(page));
  for (const index of indices) {
    const isLater = index % 5 === 0;
    const origin = (BigInt(isLater ? 3 : index) << 208n) | (1_700_000_000n << 160n);
    await store(slotOf(3, digestOf(index)), origin | BigInt(isLater ? other : author));
    if (!isLater) continue;
    const packed = (1_800_000_000n << 160n) | BigInt(author);
    await store(word(BigInt(slotOf(6, index)) + 4n), index % 10 === 0 ? packed | (9n << 208n) : packed);
    const later = keccak256(concat([pad(author), slotOf(5, digestOf(index))]));
    await store(later, BigInt(index));
  }
}

/** Pages within, across and at the borders of the words that mark their starts. One has the maximum length. */
const pages = [
  [5, 2],
  [250, 383],
  [700, 4],
  [767, 2],
  [1024, 1],
] as const;
const lastIndex = 1300;

test('`StoredRegistry` returns the same as the contract at every boundary of pages', async () => {
  for (const [firstIndex, count] of pages) await writePage(firstIndex, count);
  for (const wordIndex of [0, 1, 2, 3, 4]) {
    const marks = pages.filter(([firstIndex]) => firstIndex >> 8 === wordIndex);
    await store(
      slotOf(0, wordIndex),
      marks.reduce((bits, [firstIndex]) => bits | (1n << BigInt(firstIndex % 256)), 0n),
    );
  }
  await store(word(8), BigInt(lastIndex));
  await registry.chain.client.mine({ blocks: 1 });
  const wordStarts = Array.from({ length: 6 }, (_, wordIndex) => 256 * wordIndex);
  const borders = [...wordStarts, ...pages.flatMap(([first, count]) => [first, first + count]), lastIndex];
  const near = borders.flatMap((border) => [border - 2, border - 1, border, border + 1, border + 5]);
  const indices = [...new Set(near)].filter((index) => index > 0 && index <= lastIndex);
  let found = 0;
  for (const index of indices) {
    const [digest, quoteRoot, , authorityAddress, timestamp, revokedAt] = await registry.view.attestations([
      BigInt(index),
    ]);
    const times = { timestamp: Number(timestamp), revokedAt: Number(revokedAt) };
    const expected = { digest, quoteRoot, authorityAddress, ...times, childDigest: undefined };
    expect(await stored.entry(index), String(index)).toEqual(timestamp === 0n ? undefined : expected);
    if (timestamp !== 0n) found += 1;
    for (const authority of [author, other]) {
      const indexBy = await registry.view.cidAndAddressToAttestationIndices([digestOf(index), authority]);
      expect(await stored.indexBy(digestOf(index), authority)).toBe(Number(indexBy));
    }
  }
  expect(found).toBeGreaterThan(20);
  expect(found).toBeLessThan(indices.length - 10);
});

test('`StoredRegistry` has no entry above the last index', async () => {
  for (const index of [lastIndex + 1, 2 ** 48, Number.MAX_SAFE_INTEGER])
    expect(await stored.entry(index)).toBeUndefined();
});

test('`StoredRegistry.ofVersion` returns undefined for other versions', () => {
  const state: StateReader = { slot: async () => '0x', code: async () => '0x' };
  for (const version of ['the public deployment', '', 'constructor'])
    expect(StoredRegistry.ofVersion(version, registry.address, state)).toBeUndefined();
});
