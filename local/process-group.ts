import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses } from './process-table.ts';

/** Sends a signal to every process of the group; none left is no failure. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function groupEnded(groupId: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (listProcesses().some((entry) => entry.groupId === groupId)) {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

/** Ends a process group: asks, and kills what has not ended after `graceMs`. Resolves once no process of it runs. */
export async function stopGroup(groupId: number, graceMs = 3000): Promise<void> {
  signalGroup(groupId, 'SIGTERM');
  if (await groupEnded(groupId, graceMs)) return;
  signalGroup(groupId, 'SIGKILL');
  await groupEnded(groupId, graceMs);
}
