import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { quoteVectors, vectorText } from '../../../../test/functions/domain/attestation/vectors.ts';
import {
  AttestedText,
  AttestedTextMismatchError,
  PassageInvalidError,
  parseQuoteProof,
  type QuoteProof,
} from '../../src/verifier.ts';
import { referenceTo } from './quotable.ts';

const attested = (text: string, root?: string) => new AttestedText(referenceTo(text), text, root as Hex);
/** Two chunks of 46 and one of 8. */
const digits = '0123456789'.repeat(10);

const indicesOf = ({ proof }: QuoteProof) => proof.map(({ value: [index] }) => Number(index));
const quotedFrom = ({ segments }: QuoteProof) => segments.map(({ text }) => text);

/** Whether OpenZeppelin's library, which public tools use, verifies every leaf. */
const isValidInPublicTools = ({ proof }: QuoteProof, root: string) =>
  proof.every(({ value, proof: siblings }) =>
    StandardMerkleTree.verify(root, ['string', 'string'], [...value], [...siblings]),
  );

test('a quote has the reference, the pieces with their positions, and their chunks', () => {
  const text = digits;
  expect(attested(text).quote(digits.slice(40, 50))).toEqual({
    version: 1,
    ipfsCid: referenceTo(text).contentCid,
    chainId: 8453,
    registryAddress: '0xd70AD8a3cc1CB3Ec160949589673c9A99e46C708',
    authority: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    attestationIndex: 1,
    segments: [{ text: digits.slice(40, 50), chunk: 0, offset: 0 }],
    proof: [{ value: ['0', digits.slice(0, 46)], proof: expect.any(Array) }],
  });
});

const words = `${'a'.repeat(45)}b|c${'d'.repeat(44)}e|f${'g'.repeat(20)}`.replaceAll('|', '');

test.each([
  ['the first character', 'a', 0, 0, [0]],
  ['the last character before a border', 'b', 0, 45, [0]],
  ['the first character after a border', 'c', 1, 0, [1]],
  ['the characters on both sides of a border', 'bc', 0, 45, [0, 1]],
  ['a whole chunk', `c${'d'.repeat(44)}e`, 1, 0, [1]],
  ['a chunk and its neighbors', `bc${'d'.repeat(44)}ef`, 0, 45, [0, 1, 2]],
  ['the whole text', words, 0, 0, [0, 1, 2]],
])('a quote of %s is valid', (_, passage, chunk, offset, indices) => {
  const quote = attested(words).quote(passage);
  expect(quote.segments).toEqual([{ text: passage, chunk, offset }]);
  expect(indicesOf(quote)).toEqual(indices);
  expect(parseQuoteProof(quote).quote).toEqual(quote);
});

test('`quote` finds each piece at its first position after the piece before', () => {
  const { segments } = attested(digits).quote(['34', '34', '3']);
  expect(segments).toEqual([
    { text: '34', chunk: 0, offset: 3 },
    { text: '34', chunk: 0, offset: 13 },
    { text: '3', chunk: 0, offset: 23 },
  ]);
});

const speech = 'We knew it all along. The report of 2024 was wrong, and nobody says so … until today.';

test.each([
  ['We knew it … wrong', ['We knew it', 'wrong']],
  ['We knew it ... wrong', ['We knew it', 'wrong']],
  ['We knew [the report, ed.] was wrong', ['We knew', 'was wrong']],
  ['We […] nobody says [sic] today.', ['We', 'nobody says', 'today.']],
  ['… was wrong …', ['was wrong']],
  ['nobody says so … until today', ['nobody says so … until today']],
])('`quote` removes omissions from "%s", but not those of the text', (passage, pieces) => {
  expect(quotedFrom(attested(speech).quote(passage))).toEqual(pieces);
});

test('`quote` uses the pieces of a list unchanged', () => {
  expect(quotedFrom(attested(speech).quote(['We knew', '…']))).toEqual(['We knew', '…']);
});

test.each([
  ['We knew nothing', 'The passage is not in the text.'],
  ['we knew it', 'The passage is not in the text.'],
  ['We  knew\nit', 'The passage is not in the text; a similar one has other white space'],
  ['We knew it … right', 'Piece 2 of the passage is not in the text.'],
  ['was wrong … We knew', 'Piece 2 of the passage is in the text, but not after the piece before it.'],
  ['', 'The passage or one of its pieces is empty.'],
  [' […] ', 'The passage or one of its pieces is empty.'],
  [[], 'The passage or one of its pieces is empty.'],
  [['We', ''], 'The passage or one of its pieces is empty.'],
])('`quote` explains why it rejects %j', (passage, reason) => {
  const quote = () => attested(speech).quote(passage);
  expect(quote).toThrow(PassageInvalidError);
  expect(quote).toThrow(reason);
});

test.each(['\ud83d', '\ude00', 'd \ude00 b'])('`quote` rejects half a character', (half) => {
  expect(() => attested('mild 😀 bold').quote(half)).toThrow('half a character');
});

test('`AttestedText` rejects a text that was not attested', () => {
  const reference = referenceTo(speech);
  const construct = (text: string | Uint8Array) => () => new AttestedText(reference, text);
  expect(construct(`${speech}\n`)).toThrow('The attested text ends without a newline; yours has one.');
  expect(construct(speech.replace('wrong', 'right'))).toThrow(AttestedTextMismatchError);
  expect(construct('\ud800')).toThrow(AttestedTextMismatchError);
  expect(construct(new TextEncoder().encode(speech))).not.toThrow();
});

test('`AttestedText` rejects a text with another quote root', () => {
  expect(() => attested(speech, `0x${'1'.repeat(64)}`)).toThrow(AttestedTextMismatchError);
});

test.each(quoteVectors.vectors)('`quote` proves the whole text by our rule: $name', (vector) => {
  const text = vectorText(vector);
  const quote = attested(text, vector.qvRoot).quote([text]);
  expect(parseQuoteProof(JSON.stringify(quote)).root).toBe(vector.qvRoot);
  expect(quote.proof).toHaveLength(vector.chunks);
  expect(isValidInPublicTools(quote, vector.qvRoot)).toBe(true);
});

const moved = quoteVectors.vectors.filter(({ qvRoot, naive46Root }) => qvRoot !== naive46Root);

test.each(moved)(
  '`quote` with the quote root of public tools rejects only characters that the root splits: $name',
  (vector) => {
    const text = vectorText(vector);
    const publicly = attested(text, vector.naive46Root);
    const [before, after] = [text.slice(0, 45), text.slice(47, 92)];
    const quote = publicly.quote([before, after]);
    expect(parseQuoteProof(JSON.stringify(quote)).root).toBe(vector.naive46Root);
    expect(isValidInPublicTools(quote, vector.naive46Root)).toBe(true);
    expect(() => publicly.quote(text.slice(44, 48))).toThrow('is split between two chunks');
    expect(quotedFrom(attested(text, vector.qvRoot).quote(text.slice(44, 48)))).toEqual([text.slice(44, 48)]);
  },
);

test('`quote` rejects a replacement character at the border of a chunk', () => {
  const text = `${'a'.repeat(45)}\ufffd and so on`;
  expect(() => attested(text).quote('a\ufffd')).toThrow('is split between two chunks');
  expect(quotedFrom(attested(text).quote('aaa … and'))).toEqual(['aaa', 'and']);
});

test('`quote` rejects a passage that is too long for a proof', () => {
  const text = 'All of it. '.repeat(20_000);
  const long = attested(text);
  expect(() => long.quote(text)).toThrow('too long for a proof');
  expect(parseQuoteProof(JSON.stringify(long.quote(text.slice(0, 20_000)))).quote.proof).toHaveLength(435);
});
