import { isTemporary } from 'imprimatur-client';
import { useEffect, useState } from 'preact/hooks';

const firstPauseMs = 3_000;
const maxPauseMs = 60_000;

export interface Refreshed<Value> {
  /** The last value that was loaded, even after an error. */
  readonly value?: Value;
  readonly error?: unknown;
  refresh(): void;
}

interface Load<Value> {
  readonly load: (signal: AbortSignal) => Promise<Value>;
  /** Whether the value will change, so that it is loaded again. */
  readonly isUnfinished: (value: Value) => boolean;
}

/**
 * Loads a value, and loads it again while it is unfinished: first after three seconds, then less often while it stays
 * the same. Does not load in a hidden tab.
 * @param key changes when another value is wanted
 */
export function useRefreshed<Value>(
  key: readonly unknown[],
  { load, isUnfinished }: Load<Value>,
): Refreshed<Value> {
  const [state, setState] = useState<{ value?: Value; error?: unknown }>({});
  const [round, setRound] = useState(0);
  useEffect(() => setState({}), key);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const run = async () => {
      let [last, pauseMs] = ['', firstPauseMs];
      while (!signal.aborted) {
        try {
          const value = await load(signal);
          if (signal.aborted) return;
          setState({ value });
          if (!isUnfinished(value)) return;
          const text = JSON.stringify(value);
          pauseMs = text === last ? Math.min(maxPauseMs, pauseMs * 1.5) : firstPauseMs;
          last = text;
        } catch (error) {
          if (signal.aborted) return;
          setState((state) => ({ ...state, error }));
          if (!isTemporary(error)) return;
          pauseMs = Math.min(maxPauseMs, pauseMs * 2);
        }
        await sleep(pauseMs, signal);
        await untilVisible(signal);
      }
    };
    void run();
    return () => stop.abort();
  }, [...key, round]);
  return { ...state, refresh: () => setRound((number) => number + 1) };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}
