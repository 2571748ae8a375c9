import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDeadLinks } from '../../tools/prose/links.ts';
import { parseMarkdown } from '../../tools/prose/markdown.ts';
import { helpParagraphs, pageParagraphs, paragraphsOf } from '../../tools/prose/paragraphs.ts';
import { readSentences } from '../../tools/prose/sentences.ts';
import { findWords, wordsToAvoid } from '../../tools/prose/words.ts';

const avoided = wordsToAvoid(`
## Terms

| term | meaning | not |
|---|---|---|
| lane ID | the number of a lane | lane id |
| tramway | rails | tram-way, street car |

## Words to avoid

| avoid | use |
|---|---|
| hither, hither and yon | here |

It cannot find others.
`);

test.each([
  ['a.ts', 'const hitherEvents = 1;', 1],
  ['a.py', '# One line\nhither_events = 1', 2],
  ['hither-events.ts', '', 0],
  ['a.md', 'They walk Hither and yon.', 1],
])('findWords finds a word to avoid in %s: %j', (path, text, line) => {
  expect(findWords(path, text, avoided)[0]).toEqual({ path, line, message: '"hither": use here' });
});

test('findWords allows a longer word that contains a word to avoid, and an identifier of a term', () => {
  expect(findWords('a.md', 'hitherto', avoided)).toEqual([]);
  expect(findWords('a.ts', 'const laneId = lane.id;', avoided)).toEqual([]);
});

test('findWords finds another spelling of a term', () => {
  const found = findWords('a.txt', 'The lane ids of Tram-ways and a street car', avoided).map(
    ({ message }) => message,
  );
  expect(found).toEqual(['"lane id": use lane ID', '"tram-way": use tramway', '"street car": use tramway']);
});

test('readSentences reports a sentence of more than 30 words, and counts passives', () => {
  const long = `One, ${'word '.repeat(30)}ends.`;
  const paragraphs = paragraphsOf(
    parseMarkdown(`# Title\n\nThe file is written by \`npm start\`.\n\n${long}\n`),
  );
  expect(readSentences('a.md', paragraphs)).toMatchObject({
    problems: [{ line: 5, message: expect.stringContaining('32 words in a sentence, 30 at most') }],
    ...{ count: 2, words: 38, passive: 1 },
  });
});

test('helpParagraphs returns paragraphs and the descriptions of options, without examples', () => {
  const help = `Usage: lanes [options]

Show the lanes
of a chain.

Options:
  --chain <id>  chain of the lanes; repeatable,
                all by default
  -h, --help    display help

Name the lanes by one of these:
  - --chain, for all
    of a chain
The output is a table.

Examples:
  lanes --chain 1
`;
  expect(helpParagraphs(help)).toEqual([
    { text: 'Usage: lanes [options]', line: 1 },
    { text: 'Show the lanes of a chain.', line: 3 },
    { text: 'chain of the lanes; repeatable, all by default', line: 7 },
    { text: 'display help', line: 9 },
    { text: '--chain, for all of a chain', line: 12 },
    { text: 'The output is a table.', line: 14 },
  ]);
});

test('pageParagraphs returns the texts of elements and strings of several words', () => {
  const source = `const hint = 'Choose one of the files.';
const View = () => (
  <p class="hint">
    The text is at <a href={url}>its address</a>, with {count} lines. {isLong && 'It may take a while.'}
  </p>
);`;
  expect(pageParagraphs('view.tsx', source)).toEqual([
    { text: 'Choose one of the files.', line: 1 },
    { text: ' The text is at its address, with code lines. code ', line: 3 },
    { text: 'It may take a while.', line: 4 },
  ]);
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
  const markdown = [...links.map((url) => `[text](${url})`), '<img src="gone.png" alt="">'].join('\n\n');
  const document = parseMarkdown(markdown);
  expect(findDeadLinks(join(directory, 'docs/from.md'), document).map(({ message }) => message)).toEqual([
    'dead link: gone.md',
    'dead link: there.md#gone',
    'dead link: gone.png',
  ]);
  rmSync(directory, { recursive: true });
});
