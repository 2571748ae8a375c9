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
  /** What the child prints once it serves. A port that answers proves less: it may be somebody else's. */
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
