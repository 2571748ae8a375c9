import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A running process. Zombies are none: they hold nothing but their number. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** When it started, in whatever form the system tells: together with the pid it names one process for ever. */
  readonly startedAt: string;
  readonly command: string;
}

/** Fields of `/proc/<pid>/stat` after the name, which may hold spaces and brackets: proc_pid_stat(5). */
function procEntry(pid: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parentPid, groupId, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    const ids = { pid: Number(pid), parentPid: Number(parentPid), groupId: Number(groupId) };
    return { ...ids, startedAt: rest[16] ?? '', command };
  } catch {
    // It ended between being listed and being read.
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

/** Every process there is now. Slim images have /proc but no ps, macOS has ps but no /proc. */
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

/** The process with this pid, if it runs. */
export function findProcess(pid: number): ProcessEntry | undefined {
  if (existsSync('/proc/self/stat')) return procEntry(String(pid));
  return listProcesses().find((entry) => entry.pid === pid);
}
