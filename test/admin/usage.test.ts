import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { expect, it, test } from 'vitest';
import { adminProgram } from '../../admin/program.ts';
import { authority, FakeDeployment, refusal, run, runJson, runOn } from './commands/fake-deployment.ts';

/** Names of the commands and of all their subcommands. */
const namesOf = ({ commands }: Command, prefix = ''): string[] =>
  commands.flatMap((command) => {
    const name = `${prefix}${command.name()}`;
    return [name, ...namesOf(command, `${name} `)];
  });

const unused = () => async () => {};

test.each(['', ...namesOf(adminProgram(unused, unused, unused, () => {}))])(
  'prints the help of admin %s',
  async (name) => {
    const { exitCode, out } = await run(new FakeDeployment(), ...name.split(' ').filter(Boolean), '--help');
    expect(exitCode).toBe(0);
    await expect(out).toMatchFileSnapshot(`help/${name.replaceAll(' ', '-') || 'admin'}.txt`);
  },
);

test.each([
  ['no command', [], 'missing command; run with --help to list the commands'],
  ['half a command', ['key'], 'missing command; run with --help to list the commands'],
  ['an unknown command', ['orgs'], "unknown command 'orgs' (Did you mean org?)"],
  ['an unknown second word', ['org', 'delete'], "unknown command 'delete'"],
  ['an unknown option', ['org', 'list', '--all'], "unknown option '--all'"],
  ['a missing option', ['signer'], "required option '--chain <id>' not specified"],
  ['a missing value', ['signer', '--chain'], "option '--chain <id>' argument missing"],
  ['a change of nothing', ['org', 'update', 'x'], 'nothing to change; run with --help to list the options'],
  ['a missing argument', ['key', 'revoke'], "missing required argument 'keyId'"],
  [
    'an argument too many',
    ['org', 'list', 'x'],
    "too many arguments for 'list'. Expected 0 arguments but got 1: x.",
  ],
  [
    'two deployments at once',
    ['org', 'list', '--stack', 'A', '--stack-file', 'b'],
    "option '--stack <name>' cannot be used with option '--stack-file <path>'",
  ],
])('admin rejects %s with one line and exit code 2', async (_, argv, complaint) => {
  expect(await run(new FakeDeployment(), ...argv)).toEqual({
    exitCode: 2,
    out: '',
    error: `admin: ${complaint}\n`,
  });
});

const create = 'org create --name N --authority';
const expiry = 'Use a number of days or a date';

test.each([
  [`${create} 0x1234`, '20-byte hex address'],
  [`${create} 0x${'0'.repeat(40)}`, 'must not be the zero address'],
  [`${create} ${authority.replace('C51812dc', 'C51812Dc')}`, 'valid EIP-55 checksum'],
  [`${create} ${authority} --name \t`, 'A name must not be empty.'],
  [`${create} ${authority} --name ${'x'.repeat(201)}`, 'At most 200 characters.'],
  ['org update x --in-flight 0', 'A limit is a whole number'],
  ['org update x --fee-budget 31337=0', 'A fee budget is'],
  ['org update x --fee-budget 0=1', 'A fee budget is'],
  ['org update x --fee-budget 31337=1e3', 'A fee budget is'],
  ['org update x --default-chain default', 'A chain ID is a positive'],
  ['signer --chain 0', 'A chain ID is a positive'],
  ['signer --chain 9007199254740993', 'A chain ID is at most'],
  ['key create --org x --expires 90', expiry],
  ['key create --org x --expires 2026-02-30', expiry],
  ['webhook replay --org x --since yesterday', 'A time has the form 2026-11-23 or'],
])('admin rejects %j with exit code 2', async (line, complaint) => {
  expect(await run(new FakeDeployment(), ...line.split(' '))).toMatchObject(refusal(2, complaint));
});

test('`--json` prints a usage error as one JSON object', async () => {
  const { exitCode, out } = await run(new FakeDeployment(), '--json', 'signer');
  expect(exitCode).toBe(2);
  expect(JSON.parse(out)).toEqual({ error: "required option '--chain <id>' not specified" });
});

test('`--json` works before and after the command', async () => {
  for (const argv of [
    ['--json', 'org', 'list'],
    ['org', '--json', 'list'],
    ['org', 'list', '--json'],
  ]) {
    expect(await run(new FakeDeployment(), ...argv)).toEqual({
      exitCode: 0,
      out: '{"organizations":[]}\n',
      error: '',
    });
  }
});

test('admin connects to no deployment before the command line is valid', async () => {
  const untouched = () => {
    throw new Error('touched');
  };
  const terminal = { readTarget: untouched, connect: untouched, connectAccount: untouched };
  for (const argv of [
    ['org', 'create', '--name', 'N', '--authority', '0x1'],
    ['key', 'revoke', 'x'],
  ])
    expect((await runOn(argv, terminal)).exitCode).toBe(2);
});

test('the options select the deployment', async () => {
  const named: unknown[] = [];
  const terminal = {
    readTarget: (options: { stack?: string | undefined }) => {
      named.push(options);
      return { kind: 'cloud', stackName: options.stack ?? 'none' } as const;
    },
    connect: async () => new FakeDeployment(),
    connectAccount: () => {
      throw new Error('asked for the account');
    },
  };
  await runOn(['org', 'list', '--stack', 'Production'], terminal);
  await runOn(['--stack-file', 'a.json', 'org', 'list'], terminal);
  expect(named).toEqual([{ stack: 'Production' }, { stackFile: 'a.json' }]);
});

test('`signer` without a subcommand lists the signers', async () => {
  const deployment = new FakeDeployment();
  expect(await runJson(deployment, 'signer', '--chain', '31337')).toEqual(
    await runJson(deployment, 'signer', 'list', '--chain', '31337'),
  );
});

const main = fileURLToPath(new URL('../../admin/main.ts', import.meta.url));

it('admin exits silently when its output is closed', async () => {
  const child = spawn(process.execPath, [main, '--help']);
  child.stdout.destroy();
  const [error, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ error, exitCode }).toEqual({ error: '', exitCode: 0 });
});

const forged = 'https://a.example/\nstatus  confirmed\tyes';

test('`fieldList` prints each field in one line', () => {
  expect(fieldList({ url: forged, status: 'failed' })).toBe(
    'url     https://a.example/\\u{a}status  confirmed\\u{9}yes\nstatus  failed',
  );
});
