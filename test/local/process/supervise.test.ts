import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkout } from '../../../local/checkout.ts';
import { freePort, startOnFreePort } from '../../../local/process/free-port.ts';
import { liveOwner, ownerPath } from '../../../local/process/owner.ts';
import { findProcess, listProcesses } from '../../../local/process/processes.ts';
import { Supervisor } from '../../../local/process/supervise.ts';

let directory: string;
const spawned: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(`${tmpdir()}/imprimatur-supervise-`);
});

afterEach(() => {
  for (const child of spawned.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** Script of a child process that starts its own child process and ignores SIGTERM. */
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

/** Starts another process, which supervises the same child and prints the child's pid. */
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
  await expect.poll(() => readFileSync(`${directory}/child.log`, 'utf8')).toContain('ready');
  return { owner, childPid: Number(line) };
}

describe('Supervisor', () => {
  it('stops all processes, also their children and those that ignore SIGTERM', async () => {
    const supervisor = await Supervisor.open(directory);
    await supervisor.startUntil(/ready/, 60_000, child(stubborn));
    const ours = () => listProcesses().filter(({ parentPid }) => parentPid === process.pid);
    const pid = ours().find(({ command }) => command.includes('1000.5'))?.pid ?? 0;
    await expect.poll(() => groupOf(pid)).toHaveLength(2);
    await supervisor.stop();
    expect(groupOf(pid)).toEqual([]);
    expect(ours().filter(({ command }) => command.includes('watchdog'))).toEqual([]);
    expect(liveOwner(directory)).toBeUndefined();
    await expect(supervisor.start(child(''))).rejects.toThrow('The local stack is stopping.');
  });

  it('locks its directory, and its children end when it is killed', async () => {
    const { owner, childPid } = await startSupervisorProcess();
    await expect(Supervisor.open(directory)).rejects.toThrow(`kill ${owner.pid}`);
    expect(groupOf(childPid)).toHaveLength(2);
    owner.kill('SIGKILL');
    await expect.poll(() => groupOf(childPid)).toEqual([]);
    await expect.poll(() => findProcess(Number(owner.pid))).toBeUndefined();
    await (await Supervisor.open(directory)).stop();
  });

  it.each([
    ['with another start time', { startedAt: 'another time' }],
    ['with another command line', { command: 'another command' }],
    ['that does not run', { pid: 2 ** 30 }],
  ])('takes the directory of a process %s', async (_, difference) => {
    writeFileSync(ownerPath(directory), JSON.stringify({ ...findProcess(process.ppid), ...difference }));
    const supervisor = await Supervisor.open(directory);
    expect(liveOwner(directory)?.pid).toBe(process.pid);
    await supervisor.stop();
  });

  it('takes a directory whose owner record is truncated', async () => {
    writeFileSync(ownerPath(directory), '{"pid":');
    await (await Supervisor.open(directory)).stop();
  });

  it('reports whether a command succeeded, and logs its output', async () => {
    const supervisor = await Supervisor.open(directory);
    process.env.AWS_PROFILE = 'production';
    const script = 'console.log(process.env.AWS_PROFILE); console.error("err")';
    expect(await supervisor.run(child(script))).toBe(true);
    delete process.env.AWS_PROFILE;
    // Only the environment that it is given is passed on.
    expect(readFileSync(`${directory}/child.log`, 'utf8')).toBe('undefined\nerr\n');
    expect(await supervisor.run(child('process.exit(3)'))).toBe(false);
    await supervisor.stop();
  });

  it('names a child that cannot start, exits early, or is not ready in time', async () => {
    const supervisor = await Supervisor.open(directory);
    const start = supervisor.start({ ...child(''), command: `${directory}/none` });
    await expect(start).rejects.toThrow('Cannot start child: ');
    const until = (script: string, ms: number) => supervisor.startUntil(/ready/, ms, child(script));
    await expect(until('process.exit(3)', 60_000)).rejects.toThrow('child failed to start (exit 3). See ');
    await expect(until('setInterval(() => {}, 9)', 500)).rejects.toThrow('child did not start in time. See ');
    await supervisor.stop();
  });
});

async function listening(port: number): Promise<Server> {
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return server;
}

describe('freePort', () => {
  it('returns a free port', async () => {
    (await listening(await freePort(undefined, '--port'))).close();
  });

  it('names the option to change if the port is in use', async () => {
    const server = await listening(0);
    const { port } = server.address() as AddressInfo;
    await expect(freePort(port, '--rpc-port')).rejects.toThrow(
      `Port ${port} is in use or reserved. Stop the process that uses it, or pass another port with --rpc-port.`,
    );
    server.close();
  });
});

describe('startOnFreePort', () => {
  it('starts a server on another port when another process takes the first one', async () => {
    const ports: number[] = [];
    const others: Server[] = [];
    const server = await startOnFreePort(undefined, '--port', async (port) => {
      if (ports.push(port) === 1) others.push(await listening(port));
      return listening(port);
    });
    expect((server.address() as AddressInfo).port).toBe(ports[1]);
    expect(ports).toHaveLength(2);
    for (const one of [server, ...others]) one.close();
  });

  it('throws the error of a server that cannot start on a free port', async () => {
    const start = () => Promise.reject(new Error('no such program'));
    await expect(startOnFreePort(undefined, '--port', start)).rejects.toThrow('no such program');
  });
});
