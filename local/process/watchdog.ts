/**
 * A process that kills the process groups of its starter when the starter ends. It reads the groups from standard input,
 * one per line (`+<pid>` and, once stopped, `-<pid>`), and acts when the input ends. The system closes the input however
 * the starter ends, also after `kill -9`.
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
