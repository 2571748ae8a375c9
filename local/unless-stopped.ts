import { PlainError } from './plain-error.ts';

/** Whoever waited was asked to end instead. */
export class StopRequestedError extends PlainError {
  override readonly name = 'StopRequestedError';
  constructor() {
    super('stopped before the end');
  }
}

/** The promise's outcome, unless the signal comes first: what then becomes of the promise is of no interest. */
export async function unlessStopped<Value>(
  signal: AbortSignal | undefined,
  promise: Promise<Value>,
): Promise<Value> {
  if (!signal) return promise;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new StopRequestedError());
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
