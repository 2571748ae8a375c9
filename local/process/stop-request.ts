import { describeFailure, PlainError } from '../terminal/plain-error.ts';

/** Signals that request this process to end. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes a signal that is aborted when this process should end. npm does not forward every signal, so the end of the
 * parent process counts too.
 */
export function stopRequest(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // The listeners stay, so that a second Ctrl-C does not interrupt the cleanup.
  for (const signal of signals) process.on(signal, stop);
  const { ppid } = process;
  const launchedByNpm = process.env.npm_lifecycle_event !== undefined;
  if (launchedByNpm) setInterval(() => process.ppid !== ppid && stop(), 500).unref();
  return controller.signal;
}

/** The process was interrupted. */
export class StopRequestedError extends PlainError {
  override readonly name = 'StopRequestedError';
  constructor() {
    super('interrupted');
  }
}

/**
 * Waits for the promise, unless the signal is aborted first.
 * @throws StopRequestedError
 */
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

/** Prints a command's failure unless it was interrupted. @returns the exit code: 130 if interrupted, otherwise 1 */
export function endOfFailure(error: unknown): number {
  // By name, because the stack of another checkout throws its own class.
  if (error instanceof Error && error.name === StopRequestedError.name) return 130;
  console.error(describeFailure(error));
  return 1;
}
