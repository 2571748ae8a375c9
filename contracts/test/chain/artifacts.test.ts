import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { artifactFiles } from '../../compile/artifact-files.ts';
import { compileContracts } from '../../compile/compile-contracts.ts';

const compiled = compileContracts();
const directory = new URL('../../artifacts/', import.meta.url);

test('are what the sources compile to', () => {
  const names = readdirSync(directory);
  const committed = new Map(names.map((name) => [name, readFileSync(new URL(name, directory), 'utf8')]));
  expect(committed).toEqual(artifactFiles(compiled));
});

test('the storage layout is the documented one', () => {
  const rows = readFileSync('docs/contracts.md', 'utf8').matchAll(/^\| (\d+) \| `(_\w+)` \|/gm);
  const { storage = [] } = compiled.get('AttestationRegistry')?.storageLayout ?? {};
  expect([...rows].map(([, slot, label]) => ({ label, slot }))).toEqual(
    storage.map(({ label, slot }) => ({ label, slot })),
  );
  expect(storage).toHaveLength(9);
});

test('every source names the license of the repository', () => {
  const sources = readdirSync('contracts', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sol'),
  );
  expect(sources.length).toBeGreaterThan(20);
  for (const name of sources) {
    expect([name, readFileSync(`contracts/${name}`, 'utf8').split('\n')[0]]).toEqual([
      name,
      '// SPDX-License-Identifier: MIT',
    ]);
  }
});
