import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { findProcess } from './process-table.ts';

/** A process as recorded: enough to know it again, and never to mistake a later one with its number for it. */
export interface RecordedProcess {
  readonly name: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly command: string;
}

/** What runs for one state directory: who started it and the groups that it leads. */
export interface ProcessRecord {
  readonly owner: RecordedProcess;
  readonly children: readonly RecordedProcess[];
}

/** @returns undefined when no such process runs. */
export function recordProcess(name: string, pid: number): RecordedProcess | undefined {
  const entry = findProcess(pid);
  return entry && { name, pid, startedAt: entry.startedAt, command: entry.command };
}

export function stillRuns({ pid, startedAt, command }: RecordedProcess): boolean {
  const entry = findProcess(pid);
  return entry !== undefined && entry.startedAt === startedAt && entry.command === command;
}

export const processRecordPath = (directory: string): string => `${directory}/processes.json`;

/** @returns undefined when there is none, or half of one: a crash while it was written. */
export function readProcessRecord(directory: string): ProcessRecord | undefined {
  try {
    return JSON.parse(readFileSync(processRecordPath(directory), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Replaces the record at once, so that no reader sees half of it. */
export function writeProcessRecord(directory: string, record: ProcessRecord): void {
  const path = processRecordPath(directory);
  writeFileSync(`${path}.new`, JSON.stringify(record, null, 2));
  renameSync(`${path}.new`, path);
}
