import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileContracts } from '../../compile/compile-contracts.ts';

const compiled = compileContracts();
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
