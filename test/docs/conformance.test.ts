import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Sentence {
  /** Section and place in it: `4.1.3` is the third of section 4.1, `4.0.1` the first before section 4.1. */
  readonly number: string;
  readonly text: string;
}

/** A title above what it names: "Responses:". */
const isTitle = (text: string): boolean => text.endsWith(':');

/** The cells of a table's row are one sentence; a paragraph or a list's entry is split where the next one begins. */
function textsOf(line: string): string[] {
  const cells = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
  if (cells.length > 0) return [cells.filter((cell) => cell !== '').join(' · ')];
  return line
    .replace(/^(?:-|\d+\.) /, '')
    .split(/(?<=[.:]) (?=[A-Z`])/)
    .filter((text) => text !== '' && !isTitle(text));
}

/** A table's heading is the row above the rule. */
function isRow(line: string, next = ''): boolean {
  return !/^\|-/.test(line) && !/^\|-/.test(next);
}

/** Everything that the interface document says, in its order. */
function interfaceSentences(document: string): Sentence[] {
  const divided = new Set([...document.matchAll(/^### (\d+)\.\d+ /gm)].map(([, section]) => section));
  const lines = document.split('\n');
  const sentences: Sentence[] = [];
  let section = '0';
  let place = 0;
  for (const [at, line] of lines.entries()) {
    const [, heading] = /^#+ (\d+(?:\.\d+)?)/.exec(line) ?? [];
    if (heading !== undefined) {
      section = divided.has(heading) ? `${heading}.0` : heading;
      place = 0;
    }
    if (line.startsWith('#') || !isRow(line, lines[at + 1])) continue;
    for (const text of textsOf(line)) sentences.push({ number: `${section}.${++place}`, text });
  }
  return sentences;
}

interface Row {
  readonly sentence: string;
  readonly shownBy: readonly (readonly [file: string, title: string])[];
}

/** `| number | sentence | file: title<br>file: title |`, and a note in plain words where it needs one. */
function rowsOf(table: string): Row[] {
  return [...table.matchAll(/^\| (\d[\d.]+) \| (.+) \| (.+) \|$/gm)].map(([, number, text, tests = '']) => ({
    sentence: `${number} ${text}`,
    shownBy: [...tests.matchAll(/`(test\/[^`]+\.test\.ts)`: (.+?)(?=<br>|$)/g)].map(
      ([, file = '', title = '']) => [file, title] as const,
    ),
  }));
}

/** A line that begins a test that runs, up to its title: `.skip`, `.todo` and comments begin otherwise. */
const opening = String.raw`^[ \t]*test(?:\.each\((?:(?!\btest[.(])[^])*?\))?\(\s*`;
/** What follows a title: the function. Options, which come in braces, could skip the test as well. */
const body = String.raw`,\s*(?:async\s*)?\(`;

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** Whether the code has a test of this title, in quotes of any kind, that is not skipped. */
function hasTest(code: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) =>
    new RegExp(`${opening}${literally(`${quote}${title}${quote}`)}${body}`, 'm').test(code),
  );
}

const sentences = interfaceSentences(readFileSync('docs/service-interface.md', 'utf8'));
const rows = rowsOf(readFileSync('docs/conformance.md', 'utf8'));

test('a sentence is a row, an entry of a list or a part of a paragraph, and has its number', () => {
  const document = ['Before.', '## 1. One', 'A: b. C.', '', '| h |', '|---|', '| `d` | e. F |'].join('\n');
  const divided = ['## 2. Two', 'G.', '### 2.1 Half', 'Rules:', '- H, i.', '1. J. `K` l.'].join('\n');
  expect(
    interfaceSentences(`${document}\n${divided}`).map(({ number, text }) => `${number} ${text}`),
  ).toEqual([
    '0.1 Before.',
    '1.1 A: b.',
    '1.2 C.',
    '1.3 `d` · e. F',
    '2.0.1 G.',
    '2.1.1 H, i.',
    '2.1.2 J.',
    '2.1.3 `K` l.',
  ]);
});

test('every sentence of the interface document has its row, in its order', () => {
  expect(sentences.length).toBeGreaterThan(100);
  expect(rows.map(({ sentence }) => sentence)).toEqual(
    sentences.map(({ number, text }) => `${number} ${text}`),
  );
});

test.each(rows.map(({ sentence, shownBy }) => [sentence, shownBy] as const))('%s', (_, shownBy) => {
  expect(shownBy.length).toBeGreaterThan(0);
  for (const [file, title] of shownBy)
    expect([file, title, hasTest(readFileSync(file, 'utf8'), title)]).toEqual([file, title, true]);
});

test.each([
  "test('title', () => {});",
  "describe('x', () => {\n  test('title', async () => {});\n});",
  "test.each(['a', '(', b(1)])('title', (x) => {});",
  "test.each([\n  [1],\n])(\n  'title',\n  async (x) => {},\n);",
])('a test that runs counts: %j', (code) => {
  expect(hasTest(code, 'title')).toBe(true);
});

test.each([
  "test.skip('title', () => {});",
  "test.skipIf(true)('title', () => {});",
  "test.skip.each(['a'])('title', () => {});",
  "test.each(['a'])('other', () => {});\ntest.skip.each(['a'])('title', () => {});",
  "test('title', { skip: true }, () => {});",
  "// test('title', () => {});",
  "if (never) test('title', () => {});",
  "test('the title', () => {});",
  "const known = 'title';",
])('a test that does not run counts for none: %j', (code) => {
  expect(hasTest(code, 'title')).toBe(false);
});

test('every numbered test is in the row of its number', () => {
  for (const file of globSync('test/service/conformance/*.test.ts')) {
    for (const [, , title = ''] of readFileSync(file, 'utf8').matchAll(/\(\s*(['"`])(\d[\d.]* .+?)\1/g)) {
      const row = rows.find(({ sentence }) => sentence.startsWith(`${title.split(' ')[0]} `));
      expect(row?.shownBy).toContainEqual([file, title]);
    }
  }
});
