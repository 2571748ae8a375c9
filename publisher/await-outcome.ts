import { type Attestation, type WaitOptions, WaitTimeoutError } from '../client/imprimatur.ts';
import type { Desk } from './desk.ts';
import { InterruptedError, UnfinishedError } from './errors.ts';
import type { WaitChoice } from './wait-options.ts';

/** Waits for something of an attestation; whoever stops waiting is told that it goes on, and how to look again. */
export async function awaitOutcome(
  { signal, onProgress }: Desk,
  { timeout }: WaitChoice,
  { id, again }: { readonly id: string; readonly again: string },
  wait: (options: WaitOptions) => Promise<Attestation>,
): Promise<Attestation> {
  const advice = `look again with: ${again}`;
  try {
    return await wait({ signal, onProgress, timeoutSeconds: timeout });
  } catch (error) {
    if (error instanceof WaitTimeoutError) {
      throw new UnfinishedError(`${error.message}; ${advice}`, error.attestation, { cause: error });
    }
    if (!(error instanceof InterruptedError)) throw error;
    throw new InterruptedError(error.exitCode, `stopped waiting, the service goes on; ${advice}`, { id });
  }
}
