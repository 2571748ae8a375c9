import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { hexToBytes } from 'viem';
import { expect, test } from 'vitest';
import { decodeRlp, encodeRlp, RlpInvalidError, type RlpItem } from '../../src/trie/rlp.ts';
import { rlpItem } from './rlp-items.ts';

const mutable = (of: RlpItem): Uint8Array | unknown[] => (of instanceof Uint8Array ? of : of.map(mutable));
/** As the library gives it: plain arrays of plain bytes. */
const plain = (of: RlpItem): unknown => (of instanceof Uint8Array ? Array.from(of) : of.map(plain));

test('it encodes and decodes as the library does', () => {
  fc.assert(
    fc.property(rlpItem, (of) => {
      const encoded = encodeRlp(of);
      expect(encoded).toEqual(RLP.encode(mutable(of) as Uint8Array));
      expect(plain(decodeRlp(encoded))).toEqual(plain(RLP.decode(encoded)));
    }),
    { numRuns: 500 },
  );
});

test('bytes have one form: what it decodes encodes to the same bytes, and all else is refused', () => {
  const refusedOrSame = (given: Uint8Array) => {
    try {
      expect(encodeRlp(decodeRlp(given))).toEqual(given);
      return 'same';
    } catch (error) {
      expect(error).toBeInstanceOf(RlpInvalidError);
      return 'refused';
    }
  };
  const outcomes = new Set<string>();
  const changed = fc.tuple(rlpItem, fc.nat(), fc.integer({ min: 1, max: 255 })).map(([of, at, by]) => {
    const encoded = Uint8Array.from(encodeRlp(of));
    const place = at % encoded.length;
    encoded[place] = (encoded[place] ?? 0) ^ by;
    return encoded;
  });
  fc.assert(
    fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 12 })), (given) => {
      outcomes.add(refusedOrSame(given));
    }),
    { numRuns: 3000 },
  );
  expect(outcomes).toEqual(new Set(['same', 'refused']));
});

test.each([
  ['0x', 'nothing'],
  ['0x8100', 'a byte as two'],
  ['0x817f', 'a byte as two'],
  ['0xb800', 'a length that the first byte has room for'],
  [`0xb837${'11'.repeat(55)}`, 'a length that the first byte has room for'],
  [`0xb90038${'11'.repeat(56)}`, 'a length with a leading zero'],
  [`0xf837${'11'.repeat(55)}`, 'a list, the same'],
  ['0x83aabb', 'an item cut short'],
  ['0xc2aa', 'a list cut short'],
  ['0xc181', 'an item that ends after its list'],
  ['0xc28301', 'an item that ends after its list'],
  ['0xb9', 'a length cut short'],
  ['0xbfffffffffffffffff', 'a length that no memory has'],
  ['0x0101', 'two items'],
  ['0xc0c0', 'two lists'],
] as const)('%s is refused: %s', (hex, _) => {
  expect(() => decodeRlp(hexToBytes(hex))).toThrow(RlpInvalidError);
});

test('lists nested 5,000 deep are refused, and no stack ends', () => {
  let open: RlpItem = [];
  for (let depth = 0; depth < 5000; depth++) open = [open];
  expect(() => decodeRlp(encodeRlp(open))).toThrow(/deeper than 16/);
  let list: RlpItem = [];
  for (let depth = 0; depth < 16; depth++) list = [list];
  expect(() => decodeRlp(encodeRlp(list))).toThrow(/deeper than 16/);
  expect(decodeRlp(encodeRlp(list[0] ?? []))).toEqual(list[0]);
});
