import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { PlainError } from '../terminal/plain-error.ts';
import { findProcess, type ProcessEntry } from './processes.ts';

export const ownerPath = (directory: string): string => `${directory}/owner.json`;

/** The live process that has the directory. Start time and command line show that its pid is not of a later process. */
export function liveOwner(directory: string): ProcessEntry | undefined {
  try {
    const recorded: ProcessEntry = JSON.parse(readFileSync(ownerPath(directory), 'utf8'));
    const found = findProcess(recorded.pid);
    return found?.startedAt === recorded.startedAt && found.command === recorded.command ? found : undefined;
  } catch {
    // There is no record, or half of one: a crash while it was written.
    return undefined;
  }
}

/** Creates the record, unless there is one; whether it did. A link, unlike a write, appears whole and only once. */
function claim(directory: string): boolean {
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

/** Takes the state directory for this process until it releases it. @throws PlainError when a live process has it */
export function takeDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  while (!claim(directory)) {
    const owner = liveOwner(directory);
    if (owner) {
      const advice = `Stop it with Ctrl-C in its terminal, or with kill ${owner.pid}.`;
      throw new PlainError(`A stack already runs in ${directory}. ${advice}`);
    }
    releaseDirectory(directory);
  }
}

export const releaseDirectory = (directory: string): void => rmSync(ownerPath(directory), { force: true });
