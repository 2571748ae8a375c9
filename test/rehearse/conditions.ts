import { setTimeout as pause } from 'node:timers/promises';
import { PlainError } from '../../local/terminal/plain-error.ts';

/** @throws PlainError with the message if the condition is false */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new PlainError(message);
}

/** Polls until the condition holds. @throws PlainError if it does not hold within `minutes` */
export async function waitUntil(
  condition: string,
  { minutes, everySeconds }: { minutes: number; everySeconds: number },
  holds: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + minutes * 60_000;
  while (!(await holds())) {
    assert(Date.now() < deadline, `not true after ${minutes} minutes: ${condition}`);
    await pause(everySeconds * 1000);
  }
}
