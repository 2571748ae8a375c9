/** Age at which a value is read again: with the wait until its next use, a change takes effect within a minute. */
const maxAgeMilliseconds = 45_000;

/** Least time between two readings, so that an outage is not answered with a storm of requests. */
const leastMilliseconds = 10_000;

/** Longest time for which a use waits for a reading, while there is a last value: others wait for what uses it. */
const patienceMilliseconds = 1_000;

/** Age at which an unfinished reading begins again: Lambda stops a process between invocations, and its readings. */
const longestMilliseconds = 30_000;

export interface Refreshed<Value> {
  /** While an old value is read again, returns the last one. Throws while no reading has succeeded. */
  get(): Promise<Value>;
  /** Has the value read again at its next use, because something failed with it. */
  doubt(): void;
}

export interface RefreshedOptions<Value> {
  /** Reads the value; it may return the last one, if that is still what is stored. */
  readonly read: (last: Value | undefined) => Promise<Value>;
  /** Is told of a failure, while the last value stays in use. */
  readonly failed: (error: unknown) => void;
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
  /** The reading under way: when it began, and the value in use meanwhile or after it. */
  let reading: { readonly begunAt: number; readonly value: Promise<Value> } | undefined;
  const readAgain = async (begunAt: number): Promise<Value> => {
    // What was given up ends without effect.
    const isCurrent = () => reading?.begunAt === begunAt;
    try {
      const value = await read(last);
      if (!isCurrent()) return value;
      last = value;
      freshUntil = now() + maxAgeMilliseconds;
      return value;
    } catch (error) {
      if (last === undefined) throw error;
      if (isCurrent()) {
        freshUntil = now() + leastMilliseconds;
        failed(error);
      }
      return last;
    } finally {
      if (isCurrent()) {
        mayReadFrom = now() + leastMilliseconds;
        reading = undefined;
      }
    }
  };
  const begin = () => {
    const begunAt = now();
    const value = readAgain(begunAt);
    return { begunAt, value: last === undefined ? value : soonOr(last, value) };
  };
  return {
    get: async () => {
      if (last !== undefined && now() < freshUntil) return last;
      if (reading && now() - reading.begunAt >= longestMilliseconds) {
        if (last !== undefined) failed(new Error(`no answer in ${longestMilliseconds} ms`));
        reading = undefined;
      }
      reading ??= begin();
      return reading.value;
    },
    doubt: () => {
      freshUntil = Math.min(freshUntil, mayReadFrom);
    },
  };
}

async function soonOr<Value>(last: Value, reading: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, patienceMilliseconds, last);
  });
  try {
    return await Promise.race([reading, patience]);
  } finally {
    clearTimeout(timer);
  }
}
