import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { checkout } from '../../local/checkout.ts';
import { findProcess, listProcesses, signalGroup } from '../../local/process/processes.ts';

/** Starts an anvil, says so, and never comes to stop it. */
const script = `
  import { startAnvil } from '${checkout}/test/fakes/rpc/anvil.ts';
  await startAnvil();
  console.log('started');
  for (;;);
`;

/** As vitest starts its workers: it reads both streams to their ends. */
async function startHungWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  worker.stderr.resume();
  await once(worker.stdout, 'data');
  return worker;
}

/** The worker's child whose command has that in it. */
function childOf({ pid }: ChildProcess, name: string): number {
  const children = listProcesses().filter(({ parentPid }) => parentPid === pid);
  return children.find(({ command }) => command.includes(name))?.pid ?? 0;
}

test('an anvil ends with a worker that is killed', async () => {
  const worker = await startHungWorker();
  const anvil = childOf(worker, 'anvil');
  expect(anvil).toBeGreaterThan(0);
  worker.kill('SIGKILL');
  while (findProcess(anvil)) await sleep(20);
});

test('an anvil that goes on does not keep its worker’s streams open', async () => {
  const worker = await startHungWorker();
  const anvil = childOf(worker, 'anvil');
  onTestFinished(() => signalGroup(anvil, 'SIGKILL'));
  process.kill(childOf(worker, 'watchdog'), 'SIGKILL');
  const closed = once(worker, 'close');
  worker.kill('SIGKILL');
  await closed;
  expect(findProcess(anvil)).toBeDefined();
});
