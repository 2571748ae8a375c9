import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import {
  cidOfDigest,
  exactText,
  exactTextProfile,
  hiddenCharacters,
  textOfMarkup,
} from '../../src/verifier.ts';

interface Vector {
  readonly name: string;
  readonly input: string;
  readonly text: string;
  readonly contentCid: string;
}

const vectors: {
  readonly profile: string;
  readonly markdown: readonly Vector[];
  readonly html: readonly Vector[];
  readonly empty: { readonly markdown: readonly string[]; readonly html: readonly string[] };
} = JSON.parse(readFileSync('test/vectors/exact-text.json', 'utf8'));

const cidOf = (text: string) => cidOfDigest(`0x${createHash('sha256').update(text).digest('hex')}`);

const ofHtml = (source: string) => exactText(textOfMarkup(parse(source)));

test('the vectors name this profile', () => {
  expect(vectors.profile).toBe(exactTextProfile);
});

test.each(vectors.markdown)('Markdown: $name', ({ input, text, contentCid }) => {
  expect([exactText(input), exactText(text), cidOf(text)]).toEqual([text, text, contentCid]);
});

test.each(vectors.html)('HTML: $name', ({ input, text, contentCid }) => {
  expect([ofHtml(input), cidOf(ofHtml(input))]).toEqual([text, contentCid]);
});

test('`exactText` of a text without characters is empty', () => {
  for (const input of vectors.empty.markdown) expect(exactText(input)).toBe('');
  for (const input of vectors.empty.html) expect(ofHtml(input)).toBe('');
});

test('`textOfMarkup` handles a nesting depth of 100,000', () => {
  expect(ofHtml(`<article>${'<div>'.repeat(100_000)}a`)).toBe('a\n');
});

test('`hiddenCharacters` returns invisible characters with their positions', () => {
  const text = 'a\n\u{1f44d}\ufe0f b\u200bc\u200b \u{e0101}\n';
  expect(exactText(text)).toBe(text);
  expect(hiddenCharacters(text)).toEqual([
    { codePoint: 'U+FE0F', isVariationSelector: true, count: 1, line: 2, character: 2 },
    { codePoint: 'U+200B', isVariationSelector: false, count: 2, line: 2, character: 5 },
    { codePoint: 'U+E0101', isVariationSelector: true, count: 1, line: 2, character: 9 },
  ]);
  expect(hiddenCharacters('Ordinary \u00a0 text, caf\u00e9.\n')).toEqual([]);
});
