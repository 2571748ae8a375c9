import { timerMs } from './seconds.ts';

/** Time, as an argument. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits. Rejects with the signal's reason as soon as it is aborted. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>;
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
