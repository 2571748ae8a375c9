import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFiles } from '../../src/files/find-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'found-'));
const names = [
  ...['a.md', 'b.txt', 'c.html', 'a.proof.json', 'lock.jsonl', 'lock.jsonl.running', '.draft.md'],
  ...['2025/a.md', '2025/12/b.markdown', '2025/12/[x].md', '2025/12/x.md', 'node_modules/a.md', '.git/a.md'],
];

beforeAll(() => {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
  symlinkSync(folder, join(folder, '2025/loop'));
  symlinkSync(join(folder, 'a.md'), join(folder, 'link.md'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const find = (...named: string[]) =>
  findFiles(
    named.map((name) => join(folder, name)),
    join(folder, 'lock.jsonl'),
  );

test.each([
  ['.', ['2025/12/[x].md', '2025/12/b.markdown', '2025/12/x.md', '2025/a.md', 'a.md', 'b.txt', 'link.md']],
  ['*', ['a.md', 'b.txt', 'c.html', 'link.md']],
  ['*.md', ['a.md', 'link.md']],
  ['**/*.md', ['2025/12/[x].md', '2025/12/x.md', '2025/a.md', 'a.md', 'link.md']],
  ['2025/**', ['2025/12/[x].md', '2025/12/b.markdown', '2025/12/x.md', '2025/a.md']],
  ['20??/*.{md,txt}', ['2025/a.md']],
  ['[!ac-z].*', ['b.txt']],
  ['2025/12/[x].md', ['2025/12/[x].md']],
  ['.draft.*', []],
])('%s finds %j', async (pattern, found) => {
  if (found.length === 0) await expect(find(pattern)).rejects.toThrow('there is no text of that name');
  else expect((await find(pattern)).paths).toEqual(found.map((name) => join(folder, name)));
});

test('a folder tells how many other files it has, without what the command wrote', async () => {
  expect((await find('.')).otherFiles).toBe(1);
});

test('a file that is named twice is one', async () => {
  expect((await find('a.md', './a.md', '*.md')).paths).toHaveLength(2);
});
