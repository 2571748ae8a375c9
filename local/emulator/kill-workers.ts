import { listProcesses, readProcessRecord, stillRuns } from '../process/processes.ts';
import { PlainError } from '../terminal/plain-error.ts';

export class EmulatorForeignError extends PlainError {
  override readonly name = 'EmulatorForeignError';
  constructor() {
    super(
      'this stack started no emulator of its own, so its function processes cannot be found: leave out --kill-workers',
    );
  }
}

/**
 * Kills the emulator's function processes that the stack in this directory started, and no others.
 * @returns how many. @throws EmulatorForeignError
 */
export function killWorkers(directory: string): number {
  const emulator = readProcessRecord(directory)?.children.find(({ name }) => name === 'emulator');
  if (!emulator || !stillRuns(emulator)) throw new EmulatorForeignError();
  const workers = listProcesses().filter(
    ({ parentPid, command }) => parentPid === emulator.pid && command.includes('_worker.js'),
  );
  for (const { pid } of workers) process.kill(pid, 'SIGKILL');
  return workers.length;
}
