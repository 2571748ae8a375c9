import { setTimeout as pause } from 'node:timers/promises';
import { PlainError } from '../../local/terminal/plain-error.ts';

/** Something is not as it has to be. */
export class SmokeFailedError extends PlainError {
  override readonly name = 'SmokeFailedError';
}

export function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new SmokeFailedError(otherwise);
}

/** Asks again every few seconds. @throws SmokeFailedError after so many minutes */
export async function until(
  what: string,
  { minutes, everySeconds }: { minutes: number; everySeconds: number },
  holds: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + minutes * 60_000;
  while (!(await holds())) {
    demand(Date.now() < deadline, `${minutes} minutes passed and it is not so: ${what}`);
    await pause(everySeconds * 1000);
  }
}
