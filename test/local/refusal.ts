import { expect } from 'vitest';
import type { PlainError } from '../../local/terminal/plain-error.ts';

/** The message of the error of this kind with which the call fails; fails itself unless that is one line. */
export function refusal(call: () => unknown, kind: abstract new (...args: never) => PlainError): string {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    return message;
  }
  throw new Error('the call succeeds');
}
