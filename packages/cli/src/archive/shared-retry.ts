import {
  backoffSeconds,
  type Clock,
  isTemporary,
  RefusalError,
  retryAfterOf,
  type TemporaryError,
} from 'imprimatur-client';
import { CommandError } from '../errors.ts';

/** Maximum attempts of a request that gets a 500 while other requests succeed. */
const maxInternalErrors = 8;

/** Why and for how long all requests wait. */
export interface Waiting {
  readonly reason: string;
  readonly seconds: number;
}

const longWaitSeconds = 60;

export type SharedRetry = ReturnType<typeof makeSharedRetry>;

/**
 * Retries the requests of a run together: while the service is unreachable or refuses temporarily, all of them wait, up
 * to a limit. Other refusals are thrown.
 * @param onWait called for waits of a minute or longer
 * @param limitSeconds time without any answer after which the run ends
 */
export function makeSharedRetry(
  clock: Clock,
  signal: AbortSignal,
  onWait: (waiting: Waiting) => void,
  limitSeconds = Number.POSITIVE_INFINITY,
) {
  let [answeredAtMs, resumeAtMs, failures, answerCount, reason] = [clock.now(), 0, 0, 0, ''];

  function waitingNow(): Waiting | undefined {
    const seconds = (resumeAtMs - clock.now()) / 1000;
    return seconds > 0 ? { reason, seconds } : undefined;
  }

  function delayAll(error: TemporaryError): void {
    // Concurrent requests that fail count as one failure.
    if (!waitingNow()) failures += 1;
    const seconds = retryAfterOf(error) ?? backoffSeconds(failures, Math.random);
    const retryAtMs = clock.now() + seconds * 1000;
    if (retryAtMs <= resumeAtMs) return;
    if (retryAtMs - answeredAtMs > limitSeconds * 1000)
      throw new CommandError(
        `no answer expected within ${limitSeconds} s (${error.message}); the service continues with what it accepted; run the same command to resume`,
        { exitCode: 3 },
      );
    [resumeAtMs, reason] = [retryAtMs, error.message];
    if (seconds >= longWaitSeconds) onWait({ reason, seconds });
  }

  return {
    /** `undefined` while requests do not wait. */
    get waiting() {
      return waitingNow();
    },
    /** Repeats a request until it is answered. @throws permanent errors, and a 500 that only this request gets */
    async run<Answer>(request: () => Promise<Answer>): Promise<Answer> {
      const answersBefore = answerCount;
      for (let internalErrors = 0; ; ) {
        signal.throwIfAborted();
        for (let wait = waitingNow(); wait; wait = waitingNow()) await clock.sleep(wait.seconds, signal);
        try {
          const answer = await request();
          [answeredAtMs, failures, answerCount] = [clock.now(), 0, answerCount + 1];
          return answer;
        } catch (error) {
          if (!isTemporary(error)) throw error;
          if (error instanceof RefusalError && error.status === 500) internalErrors += 1;
          if (internalErrors >= maxInternalErrors && answerCount > answersBefore) throw error;
          delayAll(error);
        }
      }
    },
  };
}
