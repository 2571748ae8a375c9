import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Start time in the system's format. Together with the pid, it identifies a process. */
  readonly startedAt: string;
  readonly command: string;
}

/** Reads `/proc/<pid>/stat` from after the name, which may contain spaces and parentheses: proc_pid_stat(5). */
function procEntry(pid: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parentPid, groupId, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    const ids = { pid: Number(pid), parentPid: Number(parentPid), groupId: Number(groupId) };
    return { ...ids, startedAt: rest[16] ?? '', command };
  } catch {
    // The process has ended.
    return undefined;
  }
}

function psEntry(line: string): ProcessEntry | undefined {
  const [, pid, parentPid, groupId, state, startedAt, command] =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+ \S+ +\d+ \S+ \d+)\s+(.*)$/.exec(line) ?? [];
  if (startedAt === undefined || state?.startsWith('Z')) return undefined;
  const ids = { pid: Number(pid), parentPid: Number(parentPid), groupId: Number(groupId) };
  return { ...ids, startedAt, command: command ?? '' };
}

/** Lists all running processes. Slim images have /proc but no ps, and macOS has ps but no /proc. */
export function listProcesses(): ProcessEntry[] {
  if (existsSync('/proc/self/stat')) {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(procEntry).filter((entry) => entry !== undefined);
  }
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=,command=';
  const lines = execFileSync('ps', ['-axww', '-o', columns], { encoding: 'utf8', env: { LC_ALL: 'C' } });
  return lines
    .split('\n')
    .map(psEntry)
    .filter((entry) => entry !== undefined);
}

export function findProcess(pid: number): ProcessEntry | undefined {
  if (existsSync('/proc/self/stat')) return procEntry(String(pid));
  return listProcesses().find((entry) => entry.pid === pid);
}

/** Sends a signal to every process of the group, if there is one. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  signalProcess(-groupId, signal);
}

/** Sends a signal to a process, or with a negative ID to a group, unless it has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function waitForGroupEnd(groupId: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (listProcesses().some((entry) => entry.groupId === groupId)) {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

/** Ends a process group with SIGTERM, or else SIGKILL. Waits for its end, at most `graceMs` after each signal. */
export async function stopGroup(groupId: number, graceMs = 3000): Promise<void> {
  signalGroup(groupId, 'SIGTERM');
  if (await waitForGroupEnd(groupId, graceMs)) return;
  signalGroup(groupId, 'SIGKILL');
  await waitForGroupEnd(groupId, graceMs);
}
