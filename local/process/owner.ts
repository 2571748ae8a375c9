import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PlainError } from '../terminal/plain-error.ts';
import { findProcess, type ProcessEntry } from './processes.ts';

export const ownerPath = (directory: string): string => `${directory}/owner.json`;

/** Finds the running owner of the directory. A later process with the same pid has another start time or command. */
export function liveOwner(directory: string): ProcessEntry | undefined {
  try {
    const recorded: ProcessEntry = JSON.parse(readFileSync(ownerPath(directory), 'utf8'));
    const found = findProcess(recorded.pid);
    return found?.startedAt === recorded.startedAt && found.command === recorded.command ? found : undefined;
  } catch {
    // No record, or an incomplete one after a crash.
    return undefined;
  }
}

/** Creates the record unless it exists. A link is atomic. @returns whether it was created */
function createRecord(directory: string): boolean {
  const path = ownerPath(directory);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(findProcess(process.pid)));
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

/** Locks the state directory for this process. @throws PlainError if a running process owns it */
export function lockDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  while (!createRecord(directory)) {
    const owner = liveOwner(directory);
    if (owner) {
      const advice = `Stop it with Ctrl-C in its terminal, or with kill ${owner.pid}.`;
      throw new PlainError(`Another process already uses ${directory}. ${advice}`);
    }
    releaseDirectory(directory);
  }
}

export const releaseDirectory = (directory: string): void => rmSync(ownerPath(directory), { force: true });
