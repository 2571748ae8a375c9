import { liveOwner } from '../../../local/process/owner.ts';
import { listProcesses } from '../../../local/process/processes.ts';

/** Kills the emulator's function processes that the stack in this directory started, and no others. @returns how many */
export function killWorkers(directory: string): number {
  const owner = liveOwner(directory);
  const processes = listProcesses();
  const childrenOf = (parent: number | undefined, name: RegExp) =>
    processes.filter(({ parentPid, command }) => parentPid === parent && name.test(command));
  const [emulator] = childrenOf(owner?.pid, /-m (ministack|localstack)/);
  if (!emulator) throw new Error('the stack runs no emulator of its own');
  const workers = childrenOf(emulator.pid, /_worker\.js|node-runtime\.ts/);
  for (const { pid } of workers) process.kill(pid, 'SIGKILL');
  return workers.length;
}
