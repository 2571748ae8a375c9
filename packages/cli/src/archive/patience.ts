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

/**
 * The requests of a run, which wait together while the service refuses for a time or cannot be reached, for as long as that
 * takes, or for a limit. What is refused for another reason is thrown.
 */
export class Patience {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #limitSeconds: number;
  readonly #onWait: (waiting: Waiting) => void;
  #answeredAtMs: number;
  #resumeAtMs = 0;
  #failures = 0;
  #answers = 0;
  #reason = '';

  /**
   * @param onWait called for waits of a minute and longer
   * @param limitSeconds time without any answer after which a run ends
   */
  constructor(
    clock: Clock,
    signal: AbortSignal,
    onWait: (waiting: Waiting) => void,
    limitSeconds = Number.POSITIVE_INFINITY,
  ) {
    this.#clock = clock;
    this.#signal = signal;
    this.#onWait = onWait;
    this.#limitSeconds = limitSeconds;
    this.#answeredAtMs = clock.now();
  }

  /** `undefined` while requests go out. */
  get waiting(): Waiting | undefined {
    const seconds = (this.#resumeAtMs - this.#clock.now()) / 1000;
    return seconds > 0 ? { reason: this.#reason, seconds } : undefined;
  }

  /**
   * Makes a request until it is answered.
   * @throws its error, if that does not pass; a 500 too that comes again and again while other requests are answered
   */
  async run<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const answersBefore = this.#answers;
    for (let internalErrors = 0; ; ) {
      await this.#turn();
      try {
        const answer = await request();
        this.#answers += 1;
        this.#answeredAtMs = this.#clock.now();
        this.#failures = 0;
        return answer;
      } catch (error) {
        if (!mayPass(error)) throw error;
        if (error instanceof ServiceUnavailableError && error.status === 500) internalErrors += 1;
        if (internalErrors >= internalErrorTries && this.#answers > answersBefore) throw error;
        this.#hold(error);
      }
    }
  }

  async #turn(): Promise<void> {
    this.#signal.throwIfAborted();
    for (let { waiting } = this; waiting; { waiting } = this)
      await this.#clock.sleep(waiting.seconds, this.#signal);
  }

  #hold(error: Passing): void {
    // Requests that were under way together are one failure.
    if (!this.waiting) this.#failures += 1;
    const seconds = toldSeconds(error) ?? backoffSeconds(this.#failures, Math.random);
    const resumeAtMs = this.#clock.now() + seconds * 1000;
    if (resumeAtMs <= this.#resumeAtMs) return;
    if (resumeAtMs - this.#answeredAtMs > this.#limitSeconds * 1000)
      throw new CommandError(
        `no request would be answered within ${this.#limitSeconds} s (${error.message}); what the service has accepted goes on, and the same command goes on from here`,
        { exitCode: 3 },
      );
    this.#resumeAtMs = resumeAtMs;
    this.#reason = error.message;
    if (seconds >= longWaitSeconds) this.#onWait({ reason: this.#reason, seconds });
  }
}
