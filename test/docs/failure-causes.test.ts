import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The table of causes in docs/api.md: error text and test file. */
const rows = [
  ...readFileSync('docs/api.md', 'utf8').matchAll(/^\| [^|]+ \| `([^`]+)` \| `(test\/[^`]+)` \|$/gm),
];

const words = (error: string): string[] =>
  error.split(/<[^>]+>/).flatMap((part) => part.match(/[a-z]{3}[a-z ]+[a-z]/g) ?? []);

test('every cause has a row', () => {
  expect(rows).toHaveLength(7);
});

test.each(rows.map(([, error = '', file = '']) => [error, file]))(
  '`%s` has its test in %s',
  (error, file) => {
    const text = readFileSync(file, 'utf8');
    for (const part of words(error)) expect(text).toContain(part);
  },
);
