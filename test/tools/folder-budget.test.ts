import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkout } from '../../local/checkout.ts';

let root: string;

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Output of the check for a repository of so many files in one folder, and tests beside them. */
function checkFolder(files: number, tests: number): string {
  root = mkdtempSync(join(tmpdir(), 'folder-budget-'));
  execFileSync('git', ['init', '--quiet', root]);
  mkdirSync(join(root, 'local/process'), { recursive: true });
  const write = (name: string) => writeFileSync(join(root, 'local/process', name), 'export {};\n');
  for (let n = 0; n < files; n++) write(`file-${n}.ts`);
  for (let n = 0; n < tests; n++) write(`file-${n}.test.ts`);
  return spawnSync('node', [`${checkout}/tools/folder-budget.ts`], { cwd: root, encoding: 'utf8' }).stdout;
}

test('a folder of fifteen files of code with a test each is within the budget', () => {
  expect(checkFolder(15, 15)).not.toContain('local/process holds');
});

test('a sixteenth file of code is over the budget', () => {
  expect(checkFolder(16, 0)).toContain('local/process holds 16 files of code and may hold 15');
});

test('an exception that no folder needs any more is over the budget', () => {
  expect(checkFolder(1, 0)).toContain('client holds only 0 files: take it off the exceptions');
});
