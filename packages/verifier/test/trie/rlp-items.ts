import fc from 'fast-check';
import type { RlpItem } from '../../src/trie/rlp.ts';

/** Strings of the lengths around which RLP writes a length differently. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.uint8Array({ minLength: 54, maxLength: 58 }),
  fc.uint8Array({ minLength: 255, maxLength: 257 }),
);

/** Items of RLP: such strings, and lists of items. */
export const { item: rlpItem } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, bytes, fc.array(tie('item'), { maxLength: 18 })),
}));
