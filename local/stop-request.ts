/** How a person or a process manager asks this process to end. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal that is aborted when this process is asked to end. npm does not pass on every way in which it is ended
 * itself, so that it is gone counts as asking too.
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
