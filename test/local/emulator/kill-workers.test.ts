import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { killWorkers } from '../../../local/emulator/kill-workers.ts';
import { findProcess, listProcesses } from '../../../local/process/processes.ts';
import { Supervisor } from '../../../local/process/supervise.ts';

let directory: string;
let supervisor: Supervisor;

beforeEach(async () => {
  directory = mkdtempSync(`${tmpdir()}/imprimatur-workers-`);
  writeFileSync(`${directory}/_worker.js`, 'setInterval(() => {}, 1000)');
  supervisor = await Supervisor.open(directory);
});

afterEach(async () => {
  await supervisor.stop();
  rmSync(directory, { recursive: true });
});

/**
 * Starts workers and another process as an emulator does, and outlives them. It is a file of its own: until the other
 * process is another, it has the emulator's command line, which must not name a worker.
 */
const emulator = (workers: number) => `
  const { spawn } = require('node:child_process');
  for (let n = 0; n < ${workers}; n++) spawn(process.execPath, ['${directory}/_worker.js']);
  spawn('sleep', ['1000']);
  setInterval(() => {}, 1000);
`;

const started = (workers: number) => {
  writeFileSync(`${directory}/ministack.js`, emulator(workers));
  return supervisor.start({
    name: 'emulator',
    command: process.execPath,
    args: [`${directory}/ministack.js`],
    env: { PATH: process.env.PATH ?? '' },
    logPath: `${directory}/emulator.log`,
  });
};

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

it("kills the emulator's workers, and neither it nor those of another emulator", async () => {
  const stranger: ChildProcess = spawn(process.execPath, [`${directory}/_worker.js`]);
  await once(stranger, 'spawn');
  const { pid } = await started(3);
  const workers = () =>
    listProcesses().filter(({ parentPid, command }) => parentPid === pid && command.includes('_worker.js'));
  await until(() => workers().length === 3);
  expect(killWorkers(directory)).toBe(3);
  await until(() => workers().length === 0);
  expect(findProcess(pid)).toBeDefined();
  expect(findProcess(Number(stranger.pid))).toBeDefined();
  stranger.kill('SIGKILL');
});

it('refuses where the stack started no emulator', () => {
  expect(() => killWorkers(directory)).toThrow('leave out --kill-workers');
});
