import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { readTarget } from '../../../admin/deployment/target.ts';

const stack = {
  endpointUrl: 'http://127.0.0.1:4566',
  region: 'us-east-1',
  chainId: 31337,
  rpcUrl: 'http://127.0.0.1:8545',
};

const directory = mkdtempSync(`${tmpdir()}/imprimatur-cli-`);
afterAll(() => rmSync(directory, { recursive: true }));

function file(text: string): string {
  const path = `${directory}/${randomUUID()}.json`;
  writeFileSync(path, text);
  return path;
}

const started = () => file(JSON.stringify({ ...stack, apiKey: 'imp_test_x' }));

test('means the local stack while its file is there', () => {
  expect(readTarget({}, started())).toEqual({ kind: 'local', stackName: 'Imprimatur', ...stack });
});

test('means the cloud when no local stack was started', () => {
  expect(readTarget({}, '/nowhere/stack.json')).toEqual({ kind: 'cloud', stackName: 'Imprimatur' });
});

test('means the cloud when a stack is named, local stack or not', () => {
  expect(readTarget({ stack: 'Production' }, started())).toEqual({ kind: 'cloud', stackName: 'Production' });
});

test('means the file that is named', () => {
  const named = file(JSON.stringify({ ...stack, stackName: 'Other' }));
  expect(readTarget({ stackFile: named }, started())).toMatchObject({ kind: 'local', stackName: 'Other' });
});

test('refuses a named file that is not there', () => {
  expect(() => readTarget({ stackFile: '/nowhere/stack.json' }, started())).toThrow(
    'there is no /nowhere/stack.json; npm start writes it',
  );
});

test.each(['', '{', '[]', '{"region":"us-east-1"}'])('refuses a file that holds %j', (text) => {
  expect(() => readTarget({}, file(text))).toThrow(/is not what npm start writes; run npm start again$/);
});
