/** Refusal of a request because as many wait already as may. */
export class TurnRefusedError extends Error {
  override readonly name = 'TurnRefusedError';
}

/** Turns of requests: a number of them at once, the others in the order in which they came. */
export class Turns {
  readonly #atOnce: number;
  readonly #mayWait: number;
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  /** @param mayWait number of requests that may wait beside those under way */
  constructor(atOnce: number, mayWait: number) {
    this.#atOnce = atOnce;
    this.#mayWait = mayWait;
  }

  /**
   * Does the work once it has its turn, unless the signal comes before: then it gives the turn up and rejects with the
   * signal's reason.
   * @throws TurnRefusedError
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#underWay < this.#atOnce) {
      this.#underWay += 1;
      return;
    }
    if (this.#waiting.size >= this.#mayWait) throw new TurnRefusedError();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => this.#waiting.delete(resolve) && reject(signal.reason);
    this.#waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    await promise;
    signal.removeEventListener('abort', leave);
  }

  /** Gives the place to the first that waits. It is not free in between, so that no later request takes it. */
  #handOn(): void {
    const [first] = this.#waiting;
    if (!first) this.#underWay -= 1;
    else if (this.#waiting.delete(first)) first();
  }
}
