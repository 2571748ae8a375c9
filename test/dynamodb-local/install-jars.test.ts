import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { differences } from './install-jars.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/jars-`);
  for (const name of ['a.jar', 'b.so']) writeFileSync(`${folder}/${name}`, name);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (name: string) => `${createHash('sha256').update(name).digest('hex')}  ${name}`;
const list = `${['a.jar', 'b.so'].map(line).join('\n')}\n`;

test('finds no difference where each file is the listed one', () => {
  expect(differences(folder, list)).toEqual([]);
});

test('finds a file of other bytes, one that is missing and one that nobody listed', () => {
  writeFileSync(`${folder}/a.jar`, 'other');
  rmSync(`${folder}/b.so`);
  writeFileSync(`${folder}/c.jar`, 'c.jar');
  const found = differences(folder, list);
  expect(found.slice(0, 2)).toEqual([`missing: ${line('a.jar')}`, `missing: ${line('b.so')}`]);
  expect(found[2]).toMatch(/^not listed: [0-9a-f]{64} {2}a\.jar$/);
  expect(found[3]).toBe(`not listed: ${line('c.jar')}`);
});
