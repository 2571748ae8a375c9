import { type Command, Option } from 'commander';
import { type Attestation, type WaitOptions, WaitTimeoutError } from 'imprimatur-client';
import { parseSeconds } from './arguments.ts';
import { CommandError, InterruptedError } from './errors.ts';
import type { Session } from './session.ts';

/** Waits for an outcome. If the wait ends early, the error states how to check again. */
export async function awaitOutcome<Outcome extends Attestation>(
  { signal, onProgress }: Session,
  { timeout }: WaitFlags,
  { id, statusCommand }: { readonly id: string; readonly statusCommand: string },
  wait: (options: WaitOptions) => Promise<Outcome>,
): Promise<Outcome> {
  const advice = `to check again: ${statusCommand}`;
  try {
    return await wait({ signal, onProgress, timeoutSeconds: timeout });
  } catch (error) {
    if (error instanceof WaitTimeoutError) {
      const details = { attestation: error.attestation };
      throw new CommandError(`${error.message}; ${advice}`, { exitCode: 3, details });
    }
    if (!(error instanceof InterruptedError)) throw error;
    throw new InterruptedError(error.exitCode, `interrupted; the service continues; ${advice}`, { id });
  }
}

export interface WaitFlags {
  readonly wait?: boolean;
  readonly timeout?: number;
}

export function addWaitOptions(command: Command, goal: string, defaults = 'default: 900'): Command {
  const timeout = new Option('--timeout <seconds>', `maximum wait (${defaults}); implies --wait`);
  return command
    .option('--wait', `wait until ${goal}; progress is sent to stderr`)
    .addOption(timeout.argParser(parseSeconds).implies({ wait: true }));
}
