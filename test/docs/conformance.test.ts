import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { interfaceSentences } from './interface-sentences.ts';

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

/** As it stands in the code: in quotes of any kind. */
function hasTest(file: string, title: string): boolean {
  const code = readFileSync(file, 'utf8');
  return ["'", '"', '`'].some((quote) => code.includes(`${quote}${title}${quote}`));
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
    expect([file, title, hasTest(file, title)]).toEqual([file, title, true]);
});

test('every numbered test is in the row of its number', () => {
  for (const file of globSync('test/service/conformance/*.test.ts')) {
    for (const [, , title = ''] of readFileSync(file, 'utf8').matchAll(/\(\s*(['"`])(\d[\d.]* .+?)\1/g)) {
      const row = rows.find(({ sentence }) => sentence.startsWith(`${title.split(' ')[0]} `));
      expect(row?.shownBy).toContainEqual([file, title]);
    }
  }
});
