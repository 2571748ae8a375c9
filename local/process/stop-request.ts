import { describeFailure, PlainError } from '../terminal/plain-error.ts';

/** Signals with which the system requests this process to end. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns an abort signal for a request to stop. Also watches the parent, because npm does not forward every signal. */
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

export class StopRequestedError extends PlainError {
  override readonly name = 'StopRequestedError';
  constructor() {
    super('interrupted');
  }
}

/** Waits for the promise. @throws StopRequestedError if the signal is aborted first */
export async function raceWithStop<Value>(
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

/** Prints the failure of a command, unless the user interrupted it. @returns the exit code: 130 if interrupted, otherwise 1 */
export function reportFailure(error: unknown): number {
  // By name, because the stack of another checkout throws its own class.
  if (error instanceof Error && error.name === StopRequestedError.name) return 130;
  console.error(describeFailure(error));
  return 1;
}
