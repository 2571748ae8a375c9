import { keccak_256 } from '@noble/hashes/sha3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keccak256 } from '../../src/text/keccak.ts';

test('is that of the noble library for every length around the first blocks', () => {
  for (let length = 0; length <= 420; length++) {
    const bytes = Uint8Array.from({ length }, (_, place) => 7 * place + length);
    expect(keccak256(bytes)).toEqual(keccak_256(bytes));
  }
});

test('is that of the noble library for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
      expect(keccak256(bytes)).toEqual(keccak_256(bytes));
    }),
    { numRuns: 1000 },
  );
});
