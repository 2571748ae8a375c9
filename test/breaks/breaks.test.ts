import { existsSync, globSync, readFileSync } from 'node:fs';
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

/** What shows a row, as docs/faults.md names it: the test files of its breaks, and those of `test/faults` that name the row. */
function testsOf(row: number): string {
  const namesRow = (path: string) =>
    [...readFileSync(path, 'utf8').matchAll(/['`]row (\d+)/g)].some(([, number]) => Number(number) === row);
  const ofBreaks = breaks.filter((one) => one.row === row).map(({ testFile }) => testFile ?? 'npm run soak');
  const files = [...ofBreaks, ...globSync('test/faults/*.test.ts').filter(namesRow)];
  const names = files.map((file) => `\`${file.replace(/^test\/(functions\/domain\/)?|\.test\.ts$/g, '')}\``);
  return [...new Set(names)].sort().join(', ');
}

test('the table of the faults names the tests of each row, and every row has a break', () => {
  const table = readFileSync('docs/faults.md', 'utf8').matchAll(/^\| (\d+) \|.*\| (.*) \|$/gm);
  const named = Array.from(table, ([, row, tests]) => [Number(row), tests] as const);
  expect(new Map(named)).toEqual(new Map(breaks.map(({ row }) => [row, testsOf(row)])));
});
