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
  /** Maximum duration of the wait; 900 by default. With fees above the service's cap, an attestation may take hours. */
  readonly timeoutSeconds?: number | undefined;
  /** Called after each check since the first answer, whether or not anything has changed. */
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

interface PollState {
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
  let state: PollState = { failures: 0 };
  for (let isLast = false; ; ) {
    state = await pollAgain(connection, wait, state, timeoutSeconds - elapsedSeconds());
    const attestation = state.polled?.attestation;
    if (attestation) wait.onProgress?.(attestation, elapsedSeconds());
    if (attestation && wait.isReached(attestation)) return attestation;
    const pause = pauseSeconds(state, random);
    // Leaves time for the last answer.
    const maxPause = timeoutSeconds - elapsedSeconds() - Math.min(2, timeoutSeconds / 10);
    if (isLast || maxPause <= 0) throw timeoutError(wait, state, timeoutSeconds);
    isLast = pause >= maxPause;
    await clock.sleep(Math.min(pause, maxPause), wait.signal);
  }
}

async function pollAgain(
  connection: Connection,
  wait: Wait,
  last: PollState,
  remainingSeconds: number,
): Promise<PollState> {
  const timeoutSeconds = Math.min(connection.timeoutSeconds, remainingSeconds);
  try {
    const polled = await readAttestation({ ...connection, tries: 1, timeoutSeconds }, wait, last.polled);
    return { polled, failures: 0 };
  } catch (error) {
    const failures = last.failures + 1;
    if (!isTemporary(error)) throw error;
    if (!last.polled && !shouldRetry(error, failures, connection)) throw error;
    return { polled: last.polled, failures, lastError: error };
  }
}

function pauseSeconds({ polled, failures, lastError }: PollState, random: () => number): number {
  const retryAfter = lastError ? retryAfterOf(lastError) : polled?.retryAfterSeconds;
  if (retryAfter !== undefined) return Math.max(minPollSeconds, retryAfter);
  return failures > 0 ? minPollSeconds + backoffSeconds(failures, random) : defaultPollSeconds;
}

function timeoutError({ goal }: Wait, { polled, lastError }: PollState, timeoutSeconds: number) {
  const options = lastError && { cause: lastError };
  if (!polled) {
    const message = `no status received in ${timeoutSeconds} s: ${lastError?.message}`;
    return new ConnectionFailedError(message, options);
  }
  const { attestation } = polled;
  const failure = lastError ? `; the last check failed: ${lastError.message}` : '';
  const message = `not ${goal} after ${timeoutSeconds} s, still ${attestation.status}; the service continues${failure}`;
  return new WaitTimeoutError(attestation, message, options);
}

/** Reads an attestation. If nothing has changed since `last`, the answer is small. */
export async function readAttestation(
  connection: Connection,
  { id, signal }: Pick<Wait, 'id' | 'signal'>,
  last?: PolledAttestation,
): Promise<PolledAttestation> {
  const answer = await sendWithRetries(connection, { path: attestationPath(id), etag: last?.etag, signal });
  return {
    attestation: last && answer.status === 304 ? last.attestation : attestationIn(answer),
    etag: answer.headers.get('etag') ?? last?.etag,
    retryAfterSeconds: retryAfterSeconds(answer, connection.clock.now()),
  };
}

/** Returns the path of an attestation. Text other than an ID could lead to another path. @throws ArgumentInvalidError */
export function attestationPath(id: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return `attestations/${id}`;
  throw new ArgumentInvalidError("an attestation's ID has the form 01234567-89ab-cdef-0123-456789abcdef");
}
