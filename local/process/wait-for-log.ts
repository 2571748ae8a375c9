import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlainError } from '../terminal/plain-error.ts';
import type { Child } from './supervise.ts';

export class ChildUnreadyError extends PlainError {
  override readonly name = 'ChildUnreadyError';
}

export interface LogWait {
  readonly name: string;
  readonly child: Child;
  readonly logPath: string;
  /** Output of the child once it serves. An open port proves less: it may be another process's. */
  readonly pattern: RegExp;
  readonly timeoutMs: number;
}

/** Waits until the child has printed the pattern. @returns its match. @throws ChildUnreadyError */
export async function waitForLog({
  name,
  child,
  logPath,
  pattern,
  timeoutMs,
}: LogWait): Promise<RegExpExecArray> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const match = pattern.exec(readFileSync(logPath, 'utf8'));
    if (match) return match;
    const exit = child.exit();
    if (exit) throw new ChildUnreadyError(`${name} ended at its start (${exit}): see ${logPath}`);
    if (Date.now() > deadline) throw new ChildUnreadyError(`${name} is not ready: see ${logPath}`);
    await sleep(30);
  }
}
