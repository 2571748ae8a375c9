/** Age at which a value is read again, so that a change takes effect within a minute. */
const maxAgeMilliseconds = 45_000;

/** Minimum time between two reads, which limits requests during an outage. */
const leastMilliseconds = 10_000;

/** Maximum time for which a use waits for a read while an old value exists. */
const patienceMilliseconds = 1_000;

/** Age at which an unfinished read is restarted: Lambda freezes processes, and their reads, between invocations. */
const longestMilliseconds = 30_000;

export interface Refreshed<Value> {
  /** Returns the value, or the last one while it is read again. Throws while no read has succeeded. */
  get(): Promise<Value>;
  /** Makes the next use read the value again, because something failed with it. */
  doubt(): void;
}

export interface RefreshedOptions<Value> {
  /** Reads the value, or returns the last one if it is still stored. */
  readonly read: (last: Value | undefined) => Promise<Value>;
  /** Called when a read fails and the last value stays in use. */
  readonly failed: (error: unknown) => void;
  readonly initial?: Value;
  readonly now?: () => number;
}

/** Caches a value and reads it again when it is old. While reads fail, the last value stays in use, however old. */
export function refreshed<Value>({
  read,
  failed,
  initial,
  now = Date.now,
}: RefreshedOptions<Value>): Refreshed<Value> {
  let last = initial;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let mayReadFrom = Number.NEGATIVE_INFINITY;
  /** The current read: its start, and the value in use until it ends. */
  let reading: { readonly begunAt: number; readonly value: Promise<Value> } | undefined;
  const readAgain = async (begunAt: number): Promise<Value> => {
    // A restarted read has no effect.
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
