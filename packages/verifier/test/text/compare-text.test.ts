import fc from 'fast-check';
import { sha256 } from 'viem';
import { expect, test } from 'vitest';
import { accidents } from '../../src/text/accidents.ts';
import { compareText } from '../../src/text/compare-text.ts';
import { readInputText } from '../../src/text/input-text.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** The kinds of difference between a text and the attested one. */
function diagnose(input: string | Uint8Array, attested: string): string[] {
  const { isContent, differences } = compareText(readInputText(input), sha256(encode(attested)));
  expect(isContent).toBe(false);
  return differences.map(({ kind }) => kind);
}

const attested = 'Caf\u00e9 \u2013 an article.\nIts second line.\n';

test.each([
  ['a byte order mark', `\ufeff${attested}`, ['byteOrderMark']],
  ['CR LF', attested.replaceAll('\n', '\r\n'), ['lineEndings']],
  ['only CR', attested.replaceAll('\n', '\r'), ['lineEndings']],
  ['no final newline', attested.slice(0, -1), ['finalNewline']],
  ['a second final newline', `${attested}\n`, ['finalNewline']],
  ['several final newlines', `${attested}\n\n\n`, ['finalNewline']],
  ['the other normal form', attested.normalize('NFD'), ['normalForm']],
  ['trailing spaces', attested.replaceAll('\n', ' \t\n'), ['trailingSpaces']],
  ['non-breaking spaces', attested.replaceAll(' ', '\u00a0'), ['nonBreakingSpaces']],
  ['narrow spaces', attested.replaceAll(' ', '\u202f'), ['nonBreakingSpaces']],
  ['soft hyphens', attested.replaceAll('c', '\u00adc'), ['invisibleCharacters']],
  ['joiners', attested.replaceAll('c', '\u200dc'), ['invisibleCharacters']],
  ['Windows-1252', Uint8Array.from(Buffer.from(attested.replace('\u2013', '\x96'), 'latin1')), ['encoding']],
  ['UTF-16', Uint8Array.from(Buffer.from(attested, 'utf16le')), ['encoding']],
  [
    'the changes that Notepad makes',
    Uint8Array.from(Buffer.from(`\ufeff${attested.replaceAll('\n', '\r\n')}`, 'utf16le')),
    ['encoding', 'byteOrderMark', 'lineEndings'],
  ],
  [
    'a mark, CR LF and no final newline',
    `\ufeff${attested.slice(0, -1).replace('\n', '\r\n')}`,
    ['byteOrderMark', 'finalNewline', 'lineEndings'],
  ],
  ['another word', attested.replace('second', 'third'), []],
  ['half a surrogate pair', `${attested}\ud800`, []],
  ['nothing', '', []],
])('`compareText` explains only accidental differences of a text with %s', (_, input, kinds) => {
  expect(diagnose(input, attested)).toEqual(kinds);
});

test.each([
  ['a byte order mark', `\ufeff${attested}`, 'byteOrderMark'],
  ['CR LF', attested.replaceAll('\n', '\r\n'), 'lineEndings'],
  ['no final newline', attested.slice(0, -1), 'finalNewline'],
  ['the other normal form', attested.normalize('NFD'), 'normalForm'],
])('`compareText` explains a text that lacks %s', (_, other, kind) => {
  expect(diagnose(attested, other)).toEqual([kind]);
});

test.each([
  ['one\n', 'one', 'The attested text ends without a newline; yours has one.'],
  ['one\r\n', 'one', 'The attested text ends without a newline; yours has one.'],
  ['one\n\n', 'one\n', 'The attested text ends with one newline; yours ends with several.'],
  ['one\n\n', 'one', 'The attested text ends without a newline; yours ends with several.'],
  ['one', 'one\n', 'The attested text ends with a newline; yours does not.'],
])('`compareText` explains the end of %j if %j was attested', (input, other, statement) => {
  const { differences } = compareText(readInputText(input), sha256(encode(other)));
  expect(differences).toEqual([{ kind: 'finalNewline', statement }]);
});

test('`compareText` keeps the joiners of an emoji', () => {
  const family = 'A family: \u{1f468}\u200d\u{1f469}\u200d\u{1f467}.';
  expect(diagnose(family.replace('f', '\u00adf'), family)).toEqual(['invisibleCharacters']);
});

test('`compareText` does not confuse a lone surrogate with U+FFFD', () => {
  expect(diagnose('\ufeffmeant: \ud800', 'meant: \ufffd')).toEqual([]);
  expect(diagnose('meant: \ud800', 'meant: \ufffd')).toEqual([]);
});

const accidentalCharacters = /[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Removes all characters that accidents may add or remove, and normalizes the rest. */
function withoutAccidents(text: string): string {
  return text.replace(accidentalCharacters, '').normalize('NFC');
}

const pieces = ['word', 'e\u0301', '\r\n', ...' \u00e9\n\t\u00a0\u00ad\ufeff\u{1f600}.'];
const words = fc.array(fc.constantFrom(...pieces), { maxLength: 30 });
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  words.map((list) => list.join('')),
);

test('`compareText` explains up to four changes together', () => {
  const some = fc.tuple(...accidents.map((group) => fc.option(fc.constantFrom(...group))));
  fc.assert(
    fc.property(texts, some, (text, chosen) => {
      const present = chosen.filter((accident) => accident !== null).slice(0, 4);
      const original = present.reduce((changed, { undo }) => undo(changed), text);
      fc.pre(original !== text);
      expect(diagnose(text, original).length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});

test('`compareText` never explains a different text', () => {
  fc.assert(
    fc.property(texts, texts, (text, other) => {
      const digest = sha256(encode(other));
      const { isContent, differences } = compareText(readInputText(text), digest);
      expect(isContent).toBe(text === other);
      if (withoutAccidents(text) !== withoutAccidents(other)) expect(differences).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('`compareText` handles a hostile text of 1 MiB', () => {
  const spaces = ' '.repeat(1024 * 1024);
  expect(diagnose(`${spaces}x`, 'x')).toEqual([]);
  expect(diagnose(`${'\n'.repeat(1024 * 1024)}x\r\n`, 'x')).toEqual([]);
  expect(diagnose(`x${spaces}`, 'x')).toEqual(['trailingSpaces']);
  const accidental = 'e\u0301\u00a0x\u202f\u00ad\u200d \r\n'.repeat(100_000);
  expect(diagnose(`${accidental}\ud800\n\n`, 'x')).toEqual([]);
});
