import { attestationIn, retryAfterSeconds } from './answer.ts';
import { type Connection, checkedTimeout } from './connection.ts';
import { ArgumentInvalidError, ConnectionFailedError, WaitTimeoutError } from './errors.ts';
import {
  backoffSeconds,
  isPassing,
  isWorthRepeating,
  type Passing,
  persist,
  toldSeconds,
} from './persist.ts';
import type { Attestation } from './shapes.ts';

/** Options of `waitUntilConfirmed` and `waitUntilLinked`. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit of the wait; 900 by default. Fees above the service's cap may take it hours. No look outlasts the limit; the
   * last look starts shortly before it.
   */
  readonly timeoutSeconds?: number | undefined;
  /** Called after each look, whether or not anything has changed. */
  readonly onProgress?: ((attestation: Attestation, elapsedSeconds: number) => void) | undefined;
}

/** A wait for a state of an attestation. */
export interface Wait extends WaitOptions {
  readonly id: string;
  /** Name of the state, for the message when time is up. */
  readonly goal: string;
  /** Whether the state is reached; throws when it never will be. */
  readonly isReached: (attestation: Attestation) => boolean;
}

/** An attestation as seen at one time, and when the service asked to be called again. */
interface PolledAttestation {
  readonly attestation: Attestation;
  readonly etag: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

/** The knowledge of a wait at one time. */
interface View {
  /** The last state that was read; it stays while reads fail. */
  readonly polled?: PolledAttestation | undefined;
  /** Number of looks since then that failed; `lastError` says why the last of them did. */
  readonly failures: number;
  readonly lastError?: Passing;
}

const defaultTimeoutSeconds = 900;
const usualPauseSeconds = 5;
const shortestPauseSeconds = 1;

/**
 * Looks at an attestation until it is as wanted, as often as the service asks for. An outage that comes after the first
 * read does not end the wait, because the service goes on.
 * @throws WaitTimeoutError; ConnectionFailedError when nothing was seen in time; the last error when the connection's
 * tries saw nothing; ArgumentInvalidError, the signal's reason, what `isReached` throws, and errors that cannot pass
 */
export async function waitUntil(connection: Connection, wait: Wait): Promise<Attestation> {
  const { clock, random } = connection;
  const timeoutSeconds = checkedTimeout(wait.timeoutSeconds ?? defaultTimeoutSeconds);
  const startedAt = clock.now();
  const elapsedSeconds = () => (clock.now() - startedAt) / 1000;
  let view: View = { failures: 0 };
  for (let isLast = false; ; ) {
    view = await lookAgain(connection, wait, view, timeoutSeconds - elapsedSeconds());
    const seen = view.polled?.attestation;
    if (seen) wait.onProgress?.(seen, elapsedSeconds());
    if (seen && wait.isReached(seen)) return seen;
    const pause = pauseSeconds(view, random);
    // The answer to the last look takes time.
    const longestPause = timeoutSeconds - elapsedSeconds() - Math.min(2, timeoutSeconds / 10);
    if (isLast || longestPause <= 0) throw timeoutError(wait, view, timeoutSeconds);
    isLast = pause >= longestPause;
    await clock.sleep(Math.min(pause, longestPause), wait.signal);
  }
}

async function lookAgain(
  connection: Connection,
  wait: Wait,
  before: View,
  remainingSeconds: number,
): Promise<View> {
  const timeoutSeconds = Math.min(connection.timeoutSeconds, remainingSeconds);
  try {
    const polled = await look({ ...connection, tries: 1, timeoutSeconds }, wait, before.polled);
    return { polled, failures: 0 };
  } catch (error) {
    const failures = before.failures + 1;
    if (!isPassing(error)) throw error;
    if (!before.polled && !isWorthRepeating(error, failures, connection)) throw error;
    return { polled: before.polled, failures, lastError: error };
  }
}

function pauseSeconds({ polled, failures, lastError }: View, random: () => number): number {
  const told = lastError ? toldSeconds(lastError) : polled?.retryAfterSeconds;
  if (told !== undefined) return Math.max(shortestPauseSeconds, told);
  return failures > 0 ? shortestPauseSeconds + backoffSeconds(failures, random) : usualPauseSeconds;
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

/** Reads an attestation; a repeated read costs little when nothing has changed since `before`. */
export async function look(
  connection: Connection,
  { id, signal }: Pick<Wait, 'id' | 'signal'>,
  before?: PolledAttestation,
): Promise<PolledAttestation> {
  const answer = await persist(connection, { path: attestationPath(id), etag: before?.etag, signal });
  return {
    attestation: before && answer.status === 304 ? before.attestation : attestationIn(answer),
    etag: answer.headers.get('etag') ?? before?.etag,
    retryAfterSeconds: retryAfterSeconds(answer, connection.clock.now()),
  };
}

/**
 * Path of an attestation. Only an id is accepted: any other text could lead to another path.
 * @throws ArgumentInvalidError
 */
export function attestationPath(id: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return `attestations/${id}`;
  throw new ArgumentInvalidError("an attestation's id has the form 01234567-89ab-cdef-0123-456789abcdef");
}
