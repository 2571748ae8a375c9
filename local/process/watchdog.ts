/**
 * Kills the process groups of its parent when the parent ends. Each line of stdin adds a group (`+<pid>`) or
 * removes it (`-<pid>`). When the parent ends, even by `kill -9`, the system closes the input, and this process kills the
 * groups.
 */
import { createInterface } from 'node:readline';
import { signalGroup } from './processes.ts';

const groupIds = new Set<number>();
for await (const line of createInterface({ input: process.stdin })) {
  const groupId = Number(line.slice(1));
  if (line.startsWith('+')) groupIds.add(groupId);
  else groupIds.delete(groupId);
}
for (const groupId of groupIds) signalGroup(groupId, 'SIGKILL');
