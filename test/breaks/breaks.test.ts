import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breaks } from './breaks.ts';

test.each(breaks)('row $row: $wrong: its guard stands once in $file', ({ file, guard, instead }) => {
  expect(readFileSync(file, 'utf8').split(guard)).toHaveLength(2);
  expect(instead).not.toBe(guard);
});

const named = breaks.flatMap(({ testFile }) => testFile ?? []);

test.each(named)('the test file %s that a break names is there', (testFile) => {
  expect(existsSync(testFile)).toBe(true);
});

test('every row of the faults has a break', () => {
  const rows = readFileSync('docs/faults.md', 'utf8').matchAll(/^\| (\d+) \|/gm);
  expect(new Set(breaks.map(({ row }) => row))).toEqual(new Set([...rows].map(([, row]) => Number(row))));
});
