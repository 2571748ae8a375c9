import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from './run/source-folders.ts';

interface Listed {
  readonly file: string;
  readonly projectName: string;
}

const printed = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8' });

const listed: Listed[] = JSON.parse(printed('node_modules/.bin/vitest', 'list', '--filesOnly', '--json'));

/** Changes that outlive their file in a worker that runs several files. */
const leaks =
  /\bvi\.(mock|doMock|hoisted|spyOn|stub\w+|use\w+|set\w+Time)\(|(process\.(env\b.*|exitCode)|globalThis\S*) [=][^=]|delete (process|globalThis)|\bprocess\.(chdir|on|once)\(/;

/** Whether the project runs a test of `service` again, on another emulator. */
const again = ({ file, projectName }: Listed) =>
  projectName === 'localstack' && !file.includes('/localstack/');

test('every test file is in one project and no more', () => {
  const files = filesIn(['test', 'packages', 'contracts']).filter((path) => path.endsWith('.test.ts'));
  const once = listed.filter((one) => !again(one));
  expect(once.map(({ file }) => relative('.', file)).sort()).toEqual(files.sort());
});

test('npm test runs every project', () => {
  const projects = new Set(listed.map(({ projectName }) => projectName));
  const help = printed(process.execPath, 'test/run/main.ts', '--help');
  const [, choices = ''] = /choices: ([^)]*)\)/.exec(help) ?? [];
  expect([...choices.matchAll(/"(\w+)"/g)].map(([, name]) => name).sort()).toEqual(
    ['checks', 'contracts', ...projects].sort(),
  );
});

test('a test has its own worker if it mocks a module or changes a global, and only then', () => {
  const changesGlobals = ({ file }: Listed) => leaks.test(readFileSync(file, 'utf8'));
  const isIn = (...names: string[]) => listed.filter(({ projectName }) => names.includes(projectName));
  const shared = ['unit', 'chain', 'faults', 'service', 'clients', 'localstack'];
  expect(isIn(...shared).filter(changesGlobals)).toEqual([]);
  expect(isIn('isolated').filter((one) => !changesGlobals(one))).toEqual([]);
});

test('files of `clients` do not stop blocks, kill functions, or change roles, settings, signers or lanes', () => {
  const disrupts =
    /\b(withoutBlocks|mine(Revocation|UntilCommitted)|setIntervalMining|killWorkers|PutKeyPolicyCommand|iam)\(|'(settings|signer|lane)', '(?!list|show|status)/;
  const ofClients = listed.filter(({ projectName }) => projectName === 'clients');
  expect(ofClients.length).toBeGreaterThan(10);
  expect(ofClients.filter(({ file }) => disrupts.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('no helper registers a hook when it is imported, because that happens only once in a shared worker', () => {
  const helpers = filesIn(['test', 'packages', 'contracts']).filter((path) =>
    /\/?test\/.*(?<!\.(test|spec))\.ts$/.test(path),
  );
  expect(helpers.length).toBeGreaterThan(100);
  const hook = /^(before|after)(All|Each)\(/m;
  expect(helpers.filter((path) => hook.test(readFileSync(path, 'utf8')))).toEqual([]);
});
