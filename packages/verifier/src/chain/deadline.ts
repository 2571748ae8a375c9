/** Default timeout for the answers of all providers. */
export const defaultTimeoutMilliseconds = 60_000;

/** Calls `run` with a signal that aborts after this time. Unlike `AbortSignal.timeout`, the timer keeps Node running. */
export async function withDeadline<Result>(
  milliseconds: number,
  run: (deadline: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), milliseconds);
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for an answer, but throws this error if the signal aborts first. */
export async function raceAbort<Answer>(answer: Promise<Answer>, signal: AbortSignal, error: () => unknown) {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(error());
  });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
