/** Parts that a lane waits for. */
export const parts = ['store', 'chain', 'signer'] as const;

export type Part = (typeof parts)[number];

/** Milliseconds in which a call of each part was under way; overlapping calls count once. */
export type PartTimes = Readonly<Record<Part, number>>;

interface Use {
  calls: number;
  sinceMs: number;
  totalMs: number;
}

const unused = (): Record<Part, Use> => {
  const use = () => ({ calls: 0, sinceMs: 0, totalMs: 0 });
  return { store: use(), chain: use(), signer: use() };
};

/** Measures the time that each part was waited for. */
export class PartClock {
  readonly #nowMs: () => number;
  #uses = unused();

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Wraps a port to time its functions. Values and ports inside it stay as they are. */
  timed<Port extends object>(part: Part, port: Port): Port {
    return new Proxy(port, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => this.#during(part, async () => value.apply(target, args));
      },
    });
  }

  /** Takes the times since the last call of `take`. */
  take(): PartTimes {
    const { store, chain, signer } = this.#uses;
    this.#uses = unused();
    return { store: store.totalMs, chain: chain.totalMs, signer: signer.totalMs };
  }

  async #during<Answer>(part: Part, call: () => Promise<Answer>): Promise<Answer> {
    const use = this.#uses[part];
    if (use.calls++ === 0) use.sinceMs = this.#nowMs();
    try {
      return await call();
    } finally {
      if (--use.calls === 0) use.totalMs += this.#nowMs() - use.sinceMs;
    }
  }
}
