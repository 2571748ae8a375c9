/** Age at which a value is read again, so that a change takes effect within a minute. */
const maxAgeMilliseconds = 45_000;

/** Minimum time between two reads once there is a value. It limits requests during an outage. */
const minIntervalMilliseconds = 10_000;

/** Maximum time that `get` waits for a read while an old value exists. */
const maxWaitMilliseconds = 1_000;

/** Age at which an unfinished read is restarted: Lambda freezes processes, and their reads, between invocations. */
const readTimeoutMilliseconds = 30_000;

export interface RefreshingCache<Value> {
  /** Returns the value, or the last one if a read is slow or fails. Throws if a read fails without a last value. */
  get(): Promise<Value>;
  /** Makes `get` read again after the minimum time between reads. Call it after the value caused a failure. */
  markStale(): void;
}

export interface RefreshingCacheOptions<Value> {
  /** Reads the value. Returns `last` itself if the value has not changed. */
  readonly read: (last: Value | undefined) => Promise<Value>;
  /** Called when a read fails and the last value stays in use. */
  readonly onFail: (error: unknown) => void;
  readonly initial?: Value;
  readonly now?: () => number;
}

/** Caches a value and reads it again when it is old. While reads fail, the last value stays in use, however old. */
export function refreshingCache<Value>({
  read,
  onFail,
  initial,
  now = Date.now,
}: RefreshingCacheOptions<Value>): RefreshingCache<Value> {
  let last = initial;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let mayReadFrom = Number.NEGATIVE_INFINITY;
  /** The current read: its start, and the promise that `get` returns until the read ends. */
  let reading: { readonly startedAt: number; readonly value: Promise<Value> } | undefined;
  const readAgain = async (startedAt: number): Promise<Value> => {
    // A read that was replaced by a newer one has no effect.
    const isCurrent = () => reading?.startedAt === startedAt;
    try {
      const value = await read(last);
      if (!isCurrent()) return value;
      last = value;
      freshUntil = now() + maxAgeMilliseconds;
      return value;
    } catch (error) {
      if (last === undefined) throw error;
      if (isCurrent()) {
        freshUntil = now() + minIntervalMilliseconds;
        onFail(error);
      }
      return last;
    } finally {
      if (isCurrent()) {
        mayReadFrom = now() + minIntervalMilliseconds;
        reading = undefined;
      }
    }
  };
  const start = () => {
    const startedAt = now();
    const value = readAgain(startedAt);
    return { startedAt, value: last === undefined ? value : valueOrLast(last, value) };
  };
  return {
    get: async () => {
      if (last !== undefined && now() < freshUntil) return last;
      if (reading && now() - reading.startedAt >= readTimeoutMilliseconds) {
        if (last !== undefined) onFail(new Error(`no answer in ${readTimeoutMilliseconds} ms`));
        reading = undefined;
      }
      reading ??= start();
      return reading.value;
    },
    markStale: () => {
      freshUntil = Math.min(freshUntil, mayReadFrom);
    },
  };
}

async function valueOrLast<Value>(last: Value, reading: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, maxWaitMilliseconds, last);
  });
  try {
    return await Promise.race([reading, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
