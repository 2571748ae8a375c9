import { timerMs } from './seconds.ts';

/** Reason of a signal that a time limit aborted. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * Runs an act whose signal is aborted with the caller's, or after so many seconds. No timer and no listener outlives
 * it, as those of `AbortSignal.timeout` and `AbortSignal.any` would.
 */
export async function withTimeout<Value>(
  seconds: number,
  caller: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(caller?.reason);
  const limit = () =>
    controller.abort(new TimeLimitError(`no answer within ${Number(seconds.toFixed(2))} s`));
  const timer = setTimeout(limit, timerMs(seconds));
  caller?.addEventListener('abort', abort, { once: true });
  try {
    return await act(controller.signal);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', abort);
  }
}
