import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { checkout } from '../checkout.ts';
import type { StackFile } from '../stack/stack-file.ts';

/** An archive on the disk, and the stack that attests it. */
export interface Rehearsal {
  readonly stack: Pick<StackFile, 'apiUrl' | 'apiKey' | 'rpcUrl'>;
  readonly folder: string;
  readonly manifestPath: string;
  readonly concurrency: number;
}

/** A line of the manifest. */
export interface ManifestLine {
  readonly file: string;
  readonly contentCid: string;
  readonly id: string;
  readonly status: string;
}

/** The last line of each file; one that is being written is left out. */
export function manifestLines({ manifestPath }: Pick<Rehearsal, 'manifestPath'>): ManifestLine[] {
  if (!existsSync(manifestPath)) return [];
  const text = readFileSync(manifestPath, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const lines: ManifestLine[] = whole.filter((line) => line !== '').map((line) => JSON.parse(line));
  return [...new Map(lines.map((line) => [line.file, line])).values()];
}

/**
 * Runs the publisher's command over the archive, as a process of its own, until it ends or that many files are in the
 * manifest: then `kill -9`.
 *
 * @returns its exit code, and what it printed; no exit code when it was killed
 */
export async function runCommand(rehearsal: Rehearsal, killAt = Number.POSITIVE_INFINITY) {
  const { stack, folder, manifestPath, concurrency } = rehearsal;
  const options = [
    '--yes',
    '--manifest',
    manifestPath,
    '--concurrency',
    String(concurrency),
    '--rpc',
    stack.rpcUrl,
  ];
  const child = spawn(
    process.execPath,
    [`${checkout}/packages/cli/src/main.ts`, 'attest', folder, ...options],
    {
      env: { ...process.env, IMPRIMATUR_URL: stack.apiUrl, IMPRIMATUR_API_KEY: stack.apiKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  while (isRunning && manifestLines(rehearsal).length < killAt) await Promise.race([ended, pause(1000)]);
  if (isRunning) child.kill('SIGKILL');
  const [exitCode] = await ended;
  return { exitCode, printed };
}
