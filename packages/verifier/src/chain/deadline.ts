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
