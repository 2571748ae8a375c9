import { attestationIn, retryAfterSeconds } from './answer.ts';
import { type Connection, checkedTimeout } from './connection.ts';
import { ArgumentInvalidError, ConnectionFailedError, WaitTimeoutError } from './errors.ts';
import {
  backoffSeconds,
  isTemporary,
  retryAfterOf,
  sendWithRetries,
  shouldRetry,
  type TemporaryError,
} from './retry.ts';
import type { Attestation } from './shapes.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Limit of the wait; 900 by default. With fees above the service's cap, an attestation may take hours. */
  readonly timeoutSeconds?: number | undefined;
  /** Called after each check, whether or not anything has changed. */
  readonly onProgress?: ((attestation: Attestation, elapsedSeconds: number) => void) | undefined;
}

export interface Wait extends WaitOptions {
  readonly id: string;
  /** Name of the state, for the error after the time limit. */
  readonly goal: string;
  /** Whether the state is reached; throws if it cannot be reached. */
  readonly isReached: (attestation: Attestation) => boolean;
}

/** A state of an attestation, and when the service wants the next request. */
interface PolledAttestation {
  readonly attestation: Attestation;
  readonly etag: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

interface View {
  /** Last state that was read, even if later reads failed. */
  readonly polled?: PolledAttestation | undefined;
  /** Number of failed reads since then; `lastError` is the last failure. */
  readonly failures: number;
  readonly lastError?: TemporaryError;
}

const defaultTimeoutSeconds = 900;
const defaultPollSeconds = 5;
const minPollSeconds = 1;

/**
 * Polls an attestation until it has the wanted state, as often as the service requests. An outage after the first
 * successful read does not end the wait.
 * @throws WaitTimeoutError; ConnectionFailedError or the last error if no read succeeded; ArgumentInvalidError, the
 * signal's reason, what `isReached` throws, and permanent errors
 */
export async function waitUntil(connection: Connection, wait: Wait): Promise<Attestation> {
  const { clock, random } = connection;
  const timeoutSeconds = checkedTimeout(wait.timeoutSeconds ?? defaultTimeoutSeconds);
  const startedAt = clock.now();
  const elapsedSeconds = () => (clock.now() - startedAt) / 1000;
  let view: View = { failures: 0 };
  for (let isLast = false; ; ) {
    view = await pollAgain(connection, wait, view, timeoutSeconds - elapsedSeconds());
    const seen = view.polled?.attestation;
    if (seen) wait.onProgress?.(seen, elapsedSeconds());
    if (seen && wait.isReached(seen)) return seen;
    const pause = pauseSeconds(view, random);
    // Leaves time for the last answer.
    const longestPause = timeoutSeconds - elapsedSeconds() - Math.min(2, timeoutSeconds / 10);
    if (isLast || longestPause <= 0) throw timeoutError(wait, view, timeoutSeconds);
    isLast = pause >= longestPause;
    await clock.sleep(Math.min(pause, longestPause), wait.signal);
  }
}

async function pollAgain(
  connection: Connection,
  wait: Wait,
  before: View,
  remainingSeconds: number,
): Promise<View> {
  const timeoutSeconds = Math.min(connection.timeoutSeconds, remainingSeconds);
  try {
    const polled = await readAttestation({ ...connection, tries: 1, timeoutSeconds }, wait, before.polled);
    return { polled, failures: 0 };
  } catch (error) {
    const failures = before.failures + 1;
    if (!isTemporary(error)) throw error;
    if (!before.polled && !shouldRetry(error, failures, connection)) throw error;
    return { polled: before.polled, failures, lastError: error };
  }
}

function pauseSeconds({ polled, failures, lastError }: View, random: () => number): number {
  const retryAfter = lastError ? retryAfterOf(lastError) : polled?.retryAfterSeconds;
  if (retryAfter !== undefined) return Math.max(minPollSeconds, retryAfter);
  return failures > 0 ? minPollSeconds + backoffSeconds(failures, random) : defaultPollSeconds;
}

function timeoutError({ goal }: Wait, { polled, lastError }: View, timeoutSeconds: number) {
  const options = lastError && { cause: lastError };
  if (!polled) {
    const message = `no status received in ${timeoutSeconds} s: ${lastError?.message}`;
    return new ConnectionFailedError(message, options);
  }
  const { attestation } = polled;
  const trouble = lastError ? `; the last check failed: ${lastError.message}` : '';
  const message = `not ${goal} after ${timeoutSeconds} s, still ${attestation.status}; the service continues${trouble}`;
  return new WaitTimeoutError(attestation, message, options);
}

/** Reads an attestation. If nothing has changed since `before`, the answer is small. */
export async function readAttestation(
  connection: Connection,
  { id, signal }: Pick<Wait, 'id' | 'signal'>,
  before?: PolledAttestation,
): Promise<PolledAttestation> {
  const answer = await sendWithRetries(connection, { path: attestationPath(id), etag: before?.etag, signal });
  return {
    attestation: before && answer.status === 304 ? before.attestation : attestationIn(answer),
    etag: answer.headers.get('etag') ?? before?.etag,
    retryAfterSeconds: retryAfterSeconds(answer, connection.clock.now()),
  };
}

/** Path of an attestation. Other text than an ID could lead to another path. @throws ArgumentInvalidError */
export function attestationPath(id: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return `attestations/${id}`;
  throw new ArgumentInvalidError("an attestation's id has the form 01234567-89ab-cdef-0123-456789abcdef");
}
