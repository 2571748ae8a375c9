import { setTimeout as pause } from 'node:timers/promises';
import { liveOwner } from '../../../local/process/owner.ts';
import { listProcesses, signalProcess } from '../../../local/process/processes.ts';

/** Kills the function processes of the emulator that the stack in this directory started, and waits for their end. @returns how many */
export async function killWorkers(directory: string): Promise<number> {
  const owner = liveOwner(directory);
  const processes = listProcesses();
  const childrenOf = (parent: number | undefined, name: RegExp) =>
    processes.filter(({ parentPid, command }) => parentPid === parent && name.test(command));
  const [emulator] = childrenOf(owner?.pid, /-m (ministack|localstack)/);
  if (!emulator) throw new Error('the stack runs no emulator of its own');
  const workers = childrenOf(emulator.pid, /_worker\.js|node-runtime\.ts/);
  const killed = new Set(workers.map(({ pid }) => pid));
  for (const pid of killed) signalProcess(pid, 'SIGKILL');
  while (listProcesses().some(({ pid }) => killed.has(pid))) await pause(20);
  return workers.length;
}
