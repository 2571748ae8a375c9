import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The rows of docs/faults.md: number and test files. */
const rows = [...readFileSync('docs/faults.md', 'utf8').matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm)].map(
  ([, row = '', tests = '']): [string, string[]] => [
    row,
    [...tests.matchAll(/`([a-z/-]+)`/g)].map(([, file = '']) => file),
  ],
);

const pathsOf = (file: string) =>
  ['test/functions/domain/', 'test/', ''].map((folder) => `${folder}${file}.test.ts`);

test('the document has rows 1 to 54, without 53', () => {
  expect(rows.map(([row]) => Number(row)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 54 }, (_, index) => index + 1).filter((row) => row !== 53),
  );
});

test.each(rows)(
  'row %s names test files that exist, and those on real programs name the row',
  (row, files) => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const path = pathsOf(file).find((one) => existsSync(one));
      expect(path, file).toBeDefined();
      if (file.startsWith('faults/'))
        expect(readFileSync(path ?? '', 'utf8')).toContain(`row ${row.padStart(2, '0')}`);
    }
  },
);
