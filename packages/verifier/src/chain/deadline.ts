/** Default time for all providers' answers. */
export const defaultTimeoutMilliseconds = 60_000;

/** Runs with a signal that aborts after this time. `AbortSignal.timeout` does not keep Node running. */
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

export async function orAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal, error: () => unknown) {
  let giveUp = () => {};
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(error());
  });
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
