import { isTemporary, retryAfterOf, systemClock } from 'imprimatur-client';
import { useEffect, useState } from 'preact/hooks';

const firstPauseSeconds = 3;
const maxPauseSeconds = 60;

export interface Refreshed<Value> {
  /** The last value that was loaded, even while another one loads, and after an error. */
  readonly value?: Value;
  readonly error?: unknown;
  readonly isLoading: boolean;
  refresh(): void;
}

interface Load<Value> {
  readonly load: (signal: AbortSignal) => Promise<Value>;
  /** Whether the value will still change. If so, the hook loads it again. */
  readonly isUnfinished: (value: Value) => boolean;
}

/**
 * Loads a value, and loads it again while it is unfinished: first after three seconds, then less often while it stays
 * the same. Does not load again in a hidden tab.
 * @param key changes when another value is wanted
 */
export function useRefreshed<Value>(
  key: readonly unknown[],
  { load, isUnfinished }: Load<Value>,
): Refreshed<Value> {
  const [state, setState] = useState<Omit<Refreshed<Value>, 'refresh'>>({ isLoading: true });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const run = async () => {
      let [last, pause] = ['', firstPauseSeconds];
      setState(({ value }) => ({ isLoading: true, ...(value !== undefined && { value }) }));
      while (!signal.aborted) {
        try {
          const value = await load(signal);
          if (signal.aborted) return;
          setState({ value, isLoading: false });
          if (!isUnfinished(value)) return;
          const text = JSON.stringify(value);
          pause = text === last ? Math.min(maxPauseSeconds, pause * 1.5) : firstPauseSeconds;
          last = text;
        } catch (error) {
          if (signal.aborted) return;
          setState((current) => ({ ...current, error, isLoading: false }));
          if (!isTemporary(error)) return;
          pause = Math.max(Math.min(maxPauseSeconds, pause * 2), retryAfterOf(error) ?? 0);
        }
        await systemClock.sleep(pause, signal);
        await untilVisible(signal);
      }
    };
    // A pause rejects only if it is aborted: the view ended, its key changed, or `refresh` was called.
    run().catch(() => undefined);
    return () => stop.abort();
  }, [...key, round]);
  return { ...state, refresh: () => setRound((number) => number + 1) };
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      signal.removeEventListener('abort', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}
