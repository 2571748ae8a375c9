import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { artifactFiles } from '../../contracts/compile/artifact-files.ts';
import { compileContracts } from '../../contracts/compile/compile-contracts.ts';

const directory = new URL('../../contracts/artifacts/', import.meta.url);

test('are what the sources compile to', () => {
  const names = readdirSync(directory);
  const committed = new Map(names.map((name) => [name, readFileSync(new URL(name, directory), 'utf8')]));
  expect(committed).toEqual(artifactFiles(compileContracts()));
});
