import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Sentence {
  /** Section and place in it: `4.1.3` is the third of section 4.1, `4.0.1` the first before section 4.1. */
  readonly number: string;
  readonly text: string;
}

/** A title above what it names: "Responses:". */
const isTitle = (text: string): boolean => text.endsWith(':');

/** The cells of a table's row are one sentence; a paragraph or a list's entry is split where a new sentence begins. */
function textsOf(line: string): string[] {
  const cells = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
  if (cells.length > 0) return [cells.filter((cell) => cell !== '').join(' · ')];
  return line
    .replace(/^(?:-|\d+\.) /, '')
    .split(/(?<=[.:]) (?=[A-Z`])/)
    .filter((text) => text !== '' && !isTitle(text));
}

/** Whether a line has sentences: it is neither a table's rule nor its heading, which is the row above the rule. */
function hasSentences(line: string, next = ''): boolean {
  return !/^\|-/.test(line) && !/^\|-/.test(next);
}

/** All sentences of the interface document, in order. */
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
    if (line.startsWith('#') || !hasSentences(line, lines[at + 1])) continue;
    for (const text of textsOf(line)) sentences.push({ number: `${section}.${++place}`, text });
  }
  return sentences;
}

/**
 * A test that runs, with its title in quotes of any kind: `.skip`, `.todo`, comments, and options in braces are not
 * matched.
 */
const runningTest =
  /^[ \t]*test(?:\.each\((?:(?!\btest[.(])[\s\S])*?\))?\(\s*(['"`])(.+?)\1,\s*(?:async\s*)?\(/gm;

const titlesOf = (code: string): string[] => [...code.matchAll(runningTest)].map(([, , title = '']) => title);

const titlesIn = (files: string): string[] =>
  globSync(files).flatMap((file) => titlesOf(readFileSync(file, 'utf8')));

const sentences = interfaceSentences(readFileSync('docs/service-interface.md', 'utf8'));
/** The numbers with which titles begin. */
const numbered = new Set(
  titlesIn('test/service/conformance/*.test.ts').flatMap((title) => title.match(/^\d[\d.]*/) ?? []),
);

/** Sentences that the test of another sentence shows. */
const shownByAnother = new Map(
  `1.9=3.5 1.13=4.2.4 2.21=2.20 2.22=2.20 2.23=2.20 2.24=2.20 3.2=4.1.6 3.12=4.4.8 3.13=4.4.7 4.1.7=4.1.6 4.1.10=3.3
  4.1.13=7.8 4.4.5=7.9 5.1=4.1.6 5.4=1.5 5.6=7.8 7.3=4.1.3 7.5=5.3 7.6=4.4.12 7.7=4.4.12 7.10=4.1.8 7.12=3.7 7.13=3.7
  7.17=1.7 7.18=3.10 7.19=3.11 8.1=4.3.2 8.2=4.3.2 8.3=1.7 8.4=4.1.2`
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
);

/** Sentences that tests over HTTP cannot show, or cannot show completely: the test of the functions that shows them. */
const shownByFunctions = [
  ['3.6', 'steps/commit', 'fails the attestation once the revocation of its delegation is final'],
  [
    '7.11',
    'steps/reveal',
    'a reveal that is mined and reverts fails the attestation only when the revert is final',
  ],
  [
    '7.14',
    'steps/confirm-and-fail',
    'because of an internal error shows a reference, and only the log contains the error’s name',
  ],
  [
    '7.15',
    'sending/fee-wait',
    'for longer than the limit, the attestation fails, and its waiting state gets the failure',
  ],
  ['7.16', 'sending/dispatch-queue', 'never sends a reveal before the delay'],
] as const;

test('`interfaceSentences` numbers the rows, list items and sentences of each section', () => {
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

test.each(sentences.slice(1))('a test shows $number $text', ({ number }) => {
  const shown = [number, shownByAnother.get(number)].some((one) => one !== undefined && numbered.has(one));
  expect(shown || shownByFunctions.some(([one]) => one === number)).toBe(true);
});

test.each(shownByFunctions)('%s is shown by %s: %s', (_, file, title) => {
  expect(titlesIn(`test/functions/domain/${file}.test.ts`)).toContain(title);
});

test('each number in a title or a list belongs to a sentence of the interface', () => {
  expect(sentences.length).toBeGreaterThan(100);
  const numbers = sentences.map(({ number }) => number);
  const named = [...numbered, ...shownByAnother.keys(), ...shownByFunctions.map(([number]) => number)];
  expect(numbers).toEqual(expect.arrayContaining(named));
});

test.each([
  "test('title', () => {});",
  "describe('x', () => {\n  test('title', async () => {});\n});",
  "test.each(['a', '(', b(1)])('title', (x) => {});",
  "test.each([\n  [1],\n])(\n  'title',\n  async (x) => {},\n);",
])('`titlesOf` finds a test that runs: %j', (code) => {
  expect(titlesOf(code)).toEqual(['title']);
});

// Biome rejects the plain `test.skip`.
test.each([
  "test.skipIf(true)('title', () => {});",
  "test.each(['a'])('other', () => {});\ntest.skip.each(['a'])('title', () => {});",
  "test('title', { skip: true }, () => {});",
  "// test('title', () => {});",
  "if (never) test('title', () => {});",
])('`titlesOf` ignores a test that does not run: %j', (code) => {
  expect(titlesOf(code)).not.toContain('title');
});
