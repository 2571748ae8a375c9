/** A source of time that tests can replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits. Rejects with the signal's reason if the signal aborts. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
}

/** Longest timer, 24.8 days. Longer timers would end immediately. */
const maxTimerMs = 2 ** 31 - 1;

function timerMs(seconds: number): number {
  return Math.max(0, Math.min(seconds * 1000, maxTimerMs));
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (seconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, timerMs(seconds));
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/** Calls `run` with a time limit. Unlike `AbortSignal.timeout` and `AbortSignal.any`, leaves no timer or listener. */
export async function withTimeout<Value>(
  seconds: number,
  callerSignal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  callerSignal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(callerSignal?.reason);
  const limit = () =>
    controller.abort(new TimeLimitError(`no answer within ${Number(seconds.toFixed(2))} s`));
  const timer = setTimeout(limit, timerMs(seconds));
  callerSignal?.addEventListener('abort', abort, { once: true });
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    callerSignal?.removeEventListener('abort', abort);
  }
}
