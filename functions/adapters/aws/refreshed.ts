/** Age at which a value is read again: with the wait until its next use, a change takes effect within a minute. */
const maxAgeMilliseconds = 45_000;

/** Least time between two readings, so that an outage is not answered with a storm of requests. */
const leastMilliseconds = 10_000;

/** A value that operators may change, as it was read last. */
export interface Refreshed<Value> {
  /** Returns the value, which is read when it is old. @throws what its reading throws, as long as none succeeded */
  get(): Promise<Value>;
  /** Has the value read again at its next use, because something failed with it. */
  doubt(): void;
}

/** Options of `refreshed`. */
export interface RefreshedOptions<Value> {
  /** Reads the value; it may return the last one, if that is still what is stored. */
  readonly read: (last: Value | undefined) => Promise<Value>;
  /** Is told of a failure, while the last value stays in use. */
  readonly failed: (error: unknown) => void;
  /** Value in use before the first reading. */
  readonly initial?: Value;
  readonly now?: () => number;
}

/** Keeps a value for a while. While it cannot be read again, the last one stays in use, however old it is. */
export function refreshed<Value>({
  read,
  failed,
  initial,
  now = Date.now,
}: RefreshedOptions<Value>): Refreshed<Value> {
  let last = initial;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let mayReadFrom = Number.NEGATIVE_INFINITY;
  let reading: Promise<Value> | undefined;
  const readAgain = async (): Promise<Value> => {
    mayReadFrom = now() + leastMilliseconds;
    try {
      last = await read(last);
      freshUntil = now() + maxAgeMilliseconds;
      return last;
    } catch (error) {
      if (last === undefined) throw error;
      freshUntil = mayReadFrom;
      failed(error);
      return last;
    } finally {
      reading = undefined;
    }
  };
  return {
    get: async () => {
      if (last !== undefined && now() < freshUntil) return last;
      reading ??= readAgain();
      return reading;
    },
    doubt: () => {
      freshUntil = Math.min(freshUntil, mayReadFrom);
    },
  };
}
