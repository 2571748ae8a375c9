import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { PlainError } from '../terminal/plain-error.ts';
import {
  type ProcessRecord,
  processRecordPath,
  readProcessRecord,
  recordProcess,
  stillRuns,
  stopGroup,
} from './processes.ts';

export class StackRunningError extends PlainError {
  override readonly name = 'StackRunningError';
  constructor(directory: string, pid: number) {
    super(
      `a stack already runs from ${directory}: stop it with Ctrl-C where it was started, or with kill ${pid}`,
    );
  }
}

/** Creates the record, unless there is one; whether it did. A link, unlike a write, appears whole and only once. */
function claim(directory: string, record: ProcessRecord): boolean {
  const path = processRecordPath(directory);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(record));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft);
  }
}

/**
 * Stops what a crashed run left. Processes are identified by start time and command line, so none of another owner is
 * stopped.
 */
async function clearLeftovers(directory: string): Promise<void> {
  const record = readProcessRecord(directory);
  if (record && stillRuns(record.owner)) throw new StackRunningError(directory, record.owner.pid);
  const leftovers = (record?.children ?? []).filter(stillRuns);
  await Promise.all(leftovers.map(({ pid }) => stopGroup(pid)));
  rmSync(processRecordPath(directory), { force: true });
}

/**
 * Takes the state directory for this process until its record is removed.
 * @throws StackRunningError when a live process has it.
 */
export async function takeDirectory(directory: string): Promise<ProcessRecord> {
  mkdirSync(directory, { recursive: true });
  const owner = recordProcess('owner', process.pid);
  if (!owner) throw new Error('this process is not in the process table');
  const record = { owner, children: [] };
  while (!claim(directory, record)) await clearLeftovers(directory);
  return record;
}
