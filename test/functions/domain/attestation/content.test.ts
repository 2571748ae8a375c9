import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ContentInvalidError,
  maxContentBytes,
  parseContent,
} from '../../../../functions/domain/attestation/content.ts';
import { contentCid, contentDigest } from '../../../../functions/domain/attestation/content-cid.ts';
import { quoteRoot } from '../../../../functions/domain/attestation/quote-root.ts';
import { cidVectors, quoteVectors, vectorText } from './vectors.ts';

const accepted = cidVectors.vectors.filter(
  ({ byteLength }) => byteLength > 0 && byteLength <= maxContentBytes,
);
const tooLarge = cidVectors.vectors.filter(({ byteLength }) => byteLength > maxContentBytes);

describe('parseContent', () => {
  test.each(accepted)('accepts the text unchanged: $name', (vector) => {
    const content = parseContent(vectorText(vector));
    expect(content.text).toBe(vectorText(vector));
    expect(content.bytes).toHaveLength(vector.byteLength);
  });

  test.each(cidVectors.reject)('refuses ill-formed Unicode: $name', (vector) => {
    expect(() => parseContent(vectorText(vector))).toThrow(/well-formed/);
  });

  test.each(tooLarge)('refuses more than 1,048,576 bytes: $name', (vector) => {
    expect(() => parseContent(vectorText(vector))).toThrow(/1,048,576 bytes/);
  });

  test('refuses the empty text', () => {
    expect(() => parseContent('')).toThrow(new ContentInvalidError('must not be empty'));
  });

  test('counts bytes, not characters, at the limit', () => {
    expect(parseContent('é'.repeat(524_288)).bytes).toHaveLength(1_048_576);
    expect(() => parseContent(`${'é'.repeat(524_288)}a`)).toThrow(/1,048,576 bytes/);
  });

  test('returns bytes that decode to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
        expect(decoder.decode(parseContent(text).bytes)).toBe(text);
      }),
    );
  });
});

describe('contentDigest', () => {
  test.each(accepted)('returns the digest of: $name', (vector) => {
    expect(contentDigest(parseContent(vectorText(vector)))).toBe(`0x${vector.sha256Hex}`);
  });
});

test.each(cidVectors.vectors)('`contentCid` returns the CID of: $name', (vector) => {
  expect(contentCid(`0x${vector.sha256Hex}`)).toBe(vector.cidV1Raw);
});

/** Implements the rule in another way: a chunk takes whole characters until it has 46 units or more. */
function chunksByCharacter(text: string): string[] {
  const chunks = [''];
  for (const character of text) {
    if ((chunks.at(-1) ?? '').length >= 46) chunks.push('');
    chunks.push(`${chunks.pop() ?? ''}${character}`);
  }
  return chunks;
}

function independentRoot(text: string): string {
  const leaves = chunksByCharacter(text).map((chunk, index) => [String(index), chunk]);
  return StandardMerkleTree.of(leaves, ['string', 'string']).root;
}

test.each(quoteVectors.vectors)('`quoteRoot` returns the root of: $name', (vector) => {
  expect(quoteRoot(vectorText(vector))).toBe(vector.qvRoot);
});

test('`quoteRoot` equals the root of the OpenZeppelin tree for any text', () => {
  const character = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constant('😀'));
  fc.assert(
    fc.property(fc.array(character, { minLength: 1, maxLength: 600 }), (characters) => {
      const text = characters.join('');
      expect(quoteRoot(text)).toBe(independentRoot(text));
    }),
    { numRuns: 200, examples: [45, 46, 47, 91, 92, 93].map((units) => [Array<string>(units).fill('x')]) },
  );
});

test('`quoteRoot` equals that root for more than 1 MiB', () => {
  const text = 'Attested, not trusted. 📰 '.repeat(38_836);
  expect(quoteRoot(text)).toBe(independentRoot(text));
});

test('`quoteRoot` refuses the empty text', () => {
  expect(() => quoteRoot('')).toThrow(RangeError);
});
