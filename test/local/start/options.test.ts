import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, test } from 'vitest';
import { checkout } from '../../../local/checkout.ts';
import { type StartOptions, startProgram } from '../../../local/start/options.ts';

/** Parses a command line. @throws commander's error */
function parsed(...argv: string[]): StartOptions {
  return startProgram()
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .parse(argv, { from: 'user' })
    .opts();
}

describe('the options of npm start', () => {
  it('default to the production delay and the article of the repository', () => {
    const file = expect.stringMatching(/local\/articles\/.*\.txt$/);
    expect(parsed()).toEqual({
      file,
      revealDelay: 60,
      delegate: 'key',
      confirmations: 1,
      emulator: 'ministack',
    });
  });

  it('are all parsed', () => {
    const numbers = ['--reveal-delay=5', '--confirmations=12', '--port=4900', '--emulator-port=4566'];
    const argv = [
      '--emulator=localstack',
      '--file',
      'a.txt',
      '--once',
      '--delegate',
      'forwarder',
      '--json',
      '--rpc-port=65535',
    ];
    expect(parsed(...numbers, ...argv)).toEqual({
      ...{ file: 'a.txt', once: true, json: true, delegate: 'forwarder', emulator: 'localstack' },
      ...{ revealDelay: 5, confirmations: 12, port: 4900, emulatorPort: 4566, rpcPort: 65_535 },
    });
  });

  it.each([
    ['--reveal-delay', '0'],
    ['--reveal-delay', '86401'],
    ['--reveal-delay', '1.5'],
    ['--reveal-delay', ''],
    ['--delegate', 'nobody'],
    ['--emulator', 'aws'],
    ['--confirmations', '1001'],
    ['--port', '65536'],
    ['--emulator-port', '0'],
    ['--rpc-port', 'x'],
  ])('reject %s %j', (option, value) => {
    expect(() => parsed(option, value)).toThrow(option);
  });

  it('reject arguments', () => {
    expect(() => parsed('article.txt')).toThrow('too many arguments');
  });
});

/** Runs a script of the checkout with Node, as npm would. */
function run(script: string, ...args: string[]) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: checkout }, (error, stdout, stderr) => {
      resolve({ status: error ? error.code : 0, stdout, stderr });
    });
  });
}

const launch = `${checkout}/local/launch.js`;

test('npm start prints its help', async () => {
  const { status, stdout } = await run(launch, '--help');
  expect(status).toBe(0);
  await expect(stdout).toMatchFileSnapshot('../help/npm-start.txt');
});

test('npm start rejects a missing file with one line before it starts anything', async () => {
  const stderr =
    "Cannot read /nonexistent.txt as UTF-8 text: ENOENT: no such file or directory, open '/nonexistent.txt'\n";
  expect(await run(launch, '--file', '/nonexistent.txt')).toEqual({ status: 1, stdout: '', stderr });
});

test('launch explains how to install missing packages', async () => {
  const directory = mkdtempSync(`${tmpdir()}/imprimatur-checkout-`);
  mkdirSync(`${directory}/local`);
  copyFileSync(launch, `${directory}/local/launch.mjs`);
  const outcome = await run(`${directory}/local/launch.mjs`);
  rmSync(directory, { recursive: true });
  expect(outcome).toEqual({
    ...{ status: 1, stdout: '', stderr: 'The packages are not installed. Run npm ci.\n' },
  });
});
