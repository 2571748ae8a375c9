import { describeFailure, PlainError } from '../terminal/plain-error.ts';

/** Signals by which a person or a process manager asks this process to end. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes a signal that is aborted when this process is asked to end. npm does not pass on every way in which it is ended
 * itself, so the end of the parent process counts too.
 */
export function stopRequest(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // The listeners stay: a second Ctrl-C must not interrupt the stopping.
  for (const signal of signals) process.on(signal, stop);
  const { ppid } = process;
  const launchedByNpm = process.env.npm_lifecycle_event !== undefined;
  if (launchedByNpm) setInterval(() => process.ppid !== ppid && stop(), 500).unref();
  return controller.signal;
}

/** The process was asked to end before the awaited outcome. */
export class StopRequestedError extends PlainError {
  override readonly name = 'StopRequestedError';
  constructor() {
    super('interrupted');
  }
}

/**
 * Waits for the promise, unless the signal comes first: its later outcome is then ignored.
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

/** Says why a command ended before its work was done, unless it was asked to. @returns its exit code: then 130, else 1 */
export function endOfFailure(error: unknown): number {
  // By its name: the stack of another checkout throws a class of its own.
  if (error instanceof Error && error.name === StopRequestedError.name) return 130;
  console.error(describeFailure(error));
  return 1;
}
