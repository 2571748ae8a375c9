import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { checkout } from '../../../local/checkout.ts';

interface Outcome {
  readonly status: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of the checkout with a node, as npm would. */
function run(script: string, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: checkout }, (error, stdout, stderr) => {
      resolve({ status: error ? error.code : 0, stdout, stderr });
    });
  });
}

const launch = `${checkout}/local/launch.js`;

describe('npm start', () => {
  it('tells what it can do', async () => {
    const { status, stdout } = await run(launch, 'start', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--reveal-delay S');
  });

  it.each([
    [
      'a file that is missing',
      ['--file', '/nonexistent.txt'],
      'cannot read /nonexistent.txt: there is no such file',
    ],
    ['an option that does not exist', ['--fast'], "Unknown option '--fast'; --help lists the options"],
    [
      'a delay of no seconds',
      ['--reveal-delay=0'],
      '--reveal-delay must be a whole number from 1 to 86400, not "0"',
    ],
  ])('refuses %s in one line, before it starts anything', async (_, args, line) => {
    expect(await run(launch, 'start', ...args)).toEqual({ status: 1, stdout: '', stderr: `${line}\n` });
  });
});

describe('npm run load', () => {
  it('tells what it can do', async () => {
    const { status, stdout } = await run(launch, 'load', '--help');
    expect(status).toBe(0);
    expect(stdout).toContain('--kill-workers');
  });
});

describe('launch', () => {
  it('says what to do in a checkout without packages', async () => {
    const directory = mkdtempSync(`${tmpdir()}/imprimatur-checkout-`);
    mkdirSync(`${directory}/local`);
    copyFileSync(launch, `${directory}/local/launch.mjs`);
    const outcome = await run(`${directory}/local/launch.mjs`, 'start');
    rmSync(directory, { recursive: true });
    expect(outcome).toEqual({
      status: 1,
      stdout: '',
      stderr: 'the packages are not installed: run npm ci\n',
    });
  });
});
