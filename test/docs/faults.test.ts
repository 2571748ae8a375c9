import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

const document = readFileSync('docs/faults.md', 'utf8');

/** The rows of the document: number and test files. */
const rows = [...document.matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm)].map(([, row = '', tests = '']) => ({
  row: Number(row),
  files: [...tests.matchAll(/`([^` ]+)`/g)].map(([, file = '']) => file),
}));

test('every row has its own number, and test files that exist', () => {
  const numbers = new Set(rows.map(({ row }) => row));
  expect(numbers.size).toBe(document.match(/^\| \d/gm)?.length);
  const folders = ['test/functions/domain/', 'test/', ''];
  const missing = ({ files }: { files: string[] }) =>
    files.length === 0 ||
    files.some((file) => !folders.some((folder) => existsSync(`${folder}${file}.test.ts`)));
  expect(rows.filter(missing)).toEqual([]);
});

test('the tests on real programs have the numbers of the rows that name them', () => {
  const inDocument = rows.flatMap(({ row, files }) =>
    files.filter((file) => file.startsWith('faults/')).map((file) => `${file} ${row}`),
  );
  const inTests = globSync('test/faults/*.test.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\brow (\d+)/g)].map(
      ([, row]) => `faults/${basename(path, '.test.ts')} ${Number(row)}`,
    ),
  );
  expect([...new Set(inTests)].sort()).toEqual(inDocument.sort());
});
