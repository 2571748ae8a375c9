import {
  backoffSeconds,
  type Clock,
  ConnectionFailedError,
  RateLimitedError,
  ServiceUnavailableError,
  toldSeconds,
} from 'imprimatur-client';
import { CommandError } from '../errors.ts';

/** Tries of a request that is answered 500 while others are not. */
const internalErrorTries = 8;

const passing = [ConnectionFailedError, RateLimitedError, ServiceUnavailableError];
type Passing = InstanceType<(typeof passing)[number]>;

const mayPass = (error: unknown): error is Passing => passing.some((kind) => error instanceof kind);

/** What all requests wait for. */
export interface Waiting {
  readonly reason: string;
  readonly seconds: number;
}

const longWaitSeconds = 60;

export type Patience = ReturnType<typeof makePatience>;

/**
 * The requests of a run, which wait together while the service refuses for a time or cannot be reached, for as long as that
 * takes, or for a limit. What is refused for another reason is thrown.
 * @param onWait called for waits of a minute and longer
 * @param limitSeconds time without any answer after which a run ends
 */
export function makePatience(
  clock: Clock,
  signal: AbortSignal,
  onWait: (waiting: Waiting) => void,
  limitSeconds = Number.POSITIVE_INFINITY,
) {
  let [answeredAtMs, resumeAtMs, failures, answers, reason] = [clock.now(), 0, 0, 0, ''];

  function waitingNow(): Waiting | undefined {
    const seconds = (resumeAtMs - clock.now()) / 1000;
    return seconds > 0 ? { reason, seconds } : undefined;
  }

  function hold(error: Passing): void {
    // Requests that were under way together are one failure.
    if (!waitingNow()) failures += 1;
    const seconds = toldSeconds(error) ?? backoffSeconds(failures, Math.random);
    const againAtMs = clock.now() + seconds * 1000;
    if (againAtMs <= resumeAtMs) return;
    if (againAtMs - answeredAtMs > limitSeconds * 1000)
      throw new CommandError(
        `no answer expected within ${limitSeconds} s (${error.message}); the service continues with what it accepted; run the same command to resume`,
        { exitCode: 3 },
      );
    [resumeAtMs, reason] = [againAtMs, error.message];
    if (seconds >= longWaitSeconds) onWait({ reason, seconds });
  }

  return {
    /** `undefined` while requests go out. */
    get waiting() {
      return waitingNow();
    },
    /**
     * Makes a request until it is answered.
     * @throws its error, if that does not pass; a 500 too that comes again and again while other requests are answered
     */
    async run<Answer>(request: () => Promise<Answer>): Promise<Answer> {
      const answersBefore = answers;
      for (let internalErrors = 0; ; ) {
        signal.throwIfAborted();
        for (let wait = waitingNow(); wait; wait = waitingNow()) await clock.sleep(wait.seconds, signal);
        try {
          const answer = await request();
          [answeredAtMs, failures, answers] = [clock.now(), 0, answers + 1];
          return answer;
        } catch (error) {
          if (!mayPass(error)) throw error;
          if (error instanceof ServiceUnavailableError && error.status === 500) internalErrors += 1;
          if (internalErrors >= internalErrorTries && answers > answersBefore) throw error;
          hold(error);
        }
      }
    },
  };
}
