import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDeadLinks } from '../../tools/prose/links.ts';
import { parseMarkdown } from '../../tools/prose/markdown.ts';
import { readSentences } from '../../tools/prose/sentences.ts';
import { findWords, wordsToAvoid } from '../../tools/prose/words.ts';

const avoided = wordsToAvoid(
  '| a | b |\n## Words to avoid\n\n| avoid | use |\n|---|---|\n| hither, hither and yon | here |\n',
);

test.each([
  ['a.ts', 'const hitherEvents = 1;', 1],
  ['a.py', '# One line\nhither_events = 1', 2],
  ['hither-events.ts', '', 0],
  ['a.md', 'They walk Hither and yon.', 1],
])('findWords finds a word to avoid in %s: %j', (path, text, line) => {
  expect(findWords(path, text, avoided)[0]).toEqual({ path, line, message: '"hither": use here' });
});

test('findWords allows a longer word that contains a word to avoid', () => {
  expect(findWords('a.md', 'hitherto', avoided)).toEqual([]);
});

test('readSentences reports a sentence of more than 30 words, and counts passives', () => {
  const long = `One, ${'word '.repeat(30)}ends.`;
  const document = parseMarkdown(`# Title\n\nThe file is written by \`npm start\`.\n\n${long}\n`);
  expect(readSentences('a.md', document)).toMatchObject({
    problems: [{ line: 5, message: expect.stringContaining('32 words in a sentence, 30 at most') }],
    ...{ count: 2, words: 38, passive: 1 },
  });
});

test('findDeadLinks reports links to files and headings that do not exist', () => {
  const directory = mkdtempSync(join(tmpdir(), 'links-'));
  mkdirSync(join(directory, 'docs'));
  writeFileSync(join(directory, 'docs/there.md'), '# A heading of `code`\n');
  const links = [
    'there.md',
    'there.md#a-heading-of-code',
    'https://example.org/x',
    'gone.md',
    'there.md#gone',
  ];
  const document = parseMarkdown(links.map((url) => `[text](${url})`).join('\n\n'));
  expect(findDeadLinks(join(directory, 'docs/from.md'), document).map(({ message }) => message)).toEqual([
    'dead link: gone.md',
    'dead link: there.md#gone',
  ]);
  rmSync(directory, { recursive: true });
});
