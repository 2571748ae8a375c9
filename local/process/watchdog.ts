/**
 * A process that outlives its starter by a moment, to kill what the starter can no longer stop. It reads the groups to
 * kill from standard input, one per line (`+<pid>` and, once stopped, `-<pid>`), and acts when the input ends. The
 * system closes the input in whichever way the starter ends, `kill -9` included.
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
