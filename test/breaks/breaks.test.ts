import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { breaks } from './breaks.ts';

test.each(breaks)('row $row: $wrong: its guard stands once in $file', ({ file, guard, instead }) => {
  const source = readFileSync(file, 'utf8');
  expect(source.split(guard)).toHaveLength(2);
  expect(instead).not.toBe(guard);
  // What does not compile fails every test, and is noticed by none.
  const broken = source.replace(guard, () => instead);
  expect(() => transformSync(broken, { loader: extname(file) === '.tsx' ? 'tsx' : 'ts' })).not.toThrow();
});

const named = breaks.flatMap(({ testFile }) => testFile ?? []);

test.each(named)('the test file %s that a break names is there', (testFile) => {
  expect(existsSync(testFile)).toBe(true);
});

test('every row of the faults has a break', () => {
  const rows = readFileSync('docs/faults.md', 'utf8').matchAll(/^\| (\d+) \|/gm);
  expect(new Set(breaks.map(({ row }) => row))).toEqual(new Set([...rows].map(([, row]) => Number(row))));
});
