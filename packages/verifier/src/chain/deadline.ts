/** How long providers are waited for, unless the caller says otherwise. */
export const defaultTimeoutMilliseconds = 60_000;

/** Runs with a signal that is given after this time. Not `AbortSignal.timeout`: Node ends while only that is waited for. */
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

/** The answer or, once the signal is given, this error. */
export async function orAborted<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
  error: () => unknown,
): Promise<Answer> {
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
