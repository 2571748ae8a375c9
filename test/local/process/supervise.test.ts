import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkout } from '../../../local/checkout.ts';
import {
  findProcess,
  listProcesses,
  processRecordPath,
  readProcessRecord,
  recordProcess,
} from '../../../local/process/processes.ts';
import { ChildStartError, Supervisor, SupervisorStoppedError } from '../../../local/process/supervise.ts';
import { StackRunningError } from '../../../local/process/take-directory.ts';

let directory: string;
const spawned: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(`${tmpdir()}/imprimatur-supervise-`);
});

afterEach(() => {
  for (const child of spawned.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** A child that has a child of its own and ignores requests to end, as the worst may. */
const stubborn = `
  const { spawn } = require('node:child_process');
  process.on('SIGTERM', () => {});
  spawn('sleep', ['1000.5']);
  console.log('ready');
  setInterval(() => {}, 1000);
`;

const child = (script: string) => ({
  name: 'child',
  command: process.execPath,
  args: ['-e', script],
  env: { PATH: process.env.PATH ?? '' },
  logPath: `${directory}/child.log`,
});

const groupOf = (pid: number) => listProcesses().filter(({ groupId }) => groupId === pid);

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it did not come to hold');
    await sleep(20);
  }
}

const ready = () => until(() => readFileSync(`${directory}/child.log`, 'utf8').includes('ready'));

/** Another process that supervises the same stubborn child, and says its pid. */
async function startSupervisorProcess(): Promise<{ owner: ChildProcess; childPid: number }> {
  const script = `
    import { Supervisor } from '${checkout}/local/process/supervise.ts';
    const supervisor = await Supervisor.open(${JSON.stringify(directory)});
    const { pid } = await supervisor.start(${JSON.stringify(child(stubborn))});
    console.log(pid);
    setInterval(() => {}, 1000);
  `;
  writeFileSync(`${directory}/owner.ts`, script);
  const owner = spawn(process.execPath, [`${directory}/owner.ts`], { stdio: ['ignore', 'pipe', 'inherit'] });
  spawned.push(owner);
  const [line] = await once(owner.stdout, 'data');
  await ready();
  return { owner, childPid: Number(line) };
}

const watchdogOf = (owner: ChildProcess) =>
  listProcesses().find(({ parentPid, command }) => parentPid === owner.pid && command.includes('watchdog'))
    ?.pid ?? 0;

describe('Supervisor', () => {
  it('leaves no process behind, not even one that ignores SIGTERM or its children', async () => {
    const supervisor = await Supervisor.open(directory);
    const { pid } = await supervisor.start(child(stubborn));
    await ready();
    await until(() => groupOf(pid).length === 2);
    await supervisor.stop();
    expect(groupOf(pid)).toEqual([]);
    const ours = listProcesses().filter(({ parentPid }) => parentPid === process.pid);
    expect(ours.filter(({ command }) => command.includes('watchdog'))).toEqual([]);
    expect(readProcessRecord(directory)).toBeUndefined();
  });

  it('lets its children die with it when it is killed', async () => {
    const { owner, childPid } = await startSupervisorProcess();
    owner.kill('SIGKILL');
    await until(() => groupOf(childPid).length === 0);
  });

  it('stops what was left when the watchdog was killed too, and then just works', async () => {
    const { owner, childPid } = await startSupervisorProcess();
    process.kill(watchdogOf(owner), 'SIGKILL');
    owner.kill('SIGKILL');
    await until(() => findProcess(Number(owner.pid)) === undefined);
    expect(groupOf(childPid)).toHaveLength(2);
    const supervisor = await Supervisor.open(directory);
    expect(groupOf(childPid)).toEqual([]);
    expect(await supervisor.run(child(''))).toBe(true);
    await supervisor.stop();
  });

  it('refuses a directory in which a live process runs a stack', async () => {
    const { owner, childPid } = await startSupervisorProcess();
    await expect(Supervisor.open(directory)).rejects.toThrow(StackRunningError);
    await expect(Supervisor.open(directory)).rejects.toThrow(`kill ${owner.pid}`);
    expect(groupOf(childPid)).toHaveLength(2);
    owner.kill('SIGKILL');
    await until(() => groupOf(childPid).length === 0);
  });

  it.each([
    ['start time', { startedAt: 'another time' }],
    ['command line', { command: 'another command' }],
  ])('never stops a process that has a recorded number but another %s', async (_, difference) => {
    const stranger = spawn('sleep', ['1000'], { detached: true });
    spawned.push(stranger);
    await once(stranger, 'spawn');
    const recorded = { ...recordProcess('child', Number(stranger.pid)), ...difference };
    const owner = { name: 'owner', pid: 1, startedAt: 'long ago', command: 'npm start' };
    writeFileSync(processRecordPath(directory), JSON.stringify({ owner, children: [recorded] }));
    await (await Supervisor.open(directory)).stop();
    expect(findProcess(Number(stranger.pid))).toBeDefined();
  });

  it('takes a directory whose record is cut short', async () => {
    writeFileSync(processRecordPath(directory), '{"owner":');
    await (await Supervisor.open(directory)).stop();
    expect(readProcessRecord(directory)).toBeUndefined();
  });

  it('says whether a command succeeded, and keeps what it printed', async () => {
    const supervisor = await Supervisor.open(directory);
    expect(await supervisor.run(child('console.log("out"); console.error("err")'))).toBe(true);
    expect(readFileSync(`${directory}/child.log`, 'utf8')).toBe('out\nerr\n');
    expect(await supervisor.run(child('process.exit(3)'))).toBe(false);
    await supervisor.stop();
  });

  it('names a command that cannot be started', async () => {
    const supervisor = await Supervisor.open(directory);
    const start = supervisor.start({ ...child(''), command: `${directory}/none` });
    await expect(start).rejects.toThrow(ChildStartError);
    await supervisor.stop();
  });

  it('starts nothing more once it stops', async () => {
    const supervisor = await Supervisor.open(directory);
    await supervisor.stop();
    await expect(supervisor.start(child(''))).rejects.toThrow(SupervisorStoppedError);
  });

  it('passes on only the environment that it is told to', async () => {
    process.env.AWS_PROFILE = 'production';
    const supervisor = await Supervisor.open(directory);
    await supervisor.run(child('console.log(process.env.AWS_PROFILE)'));
    delete process.env.AWS_PROFILE;
    expect(readFileSync(`${directory}/child.log`, 'utf8')).toBe('undefined\n');
    await supervisor.stop();
  });
});
