/** Nobody answered in time. What was asked may still happen. */
export class AnswerTimeoutError extends Error {
  override readonly name = 'AnswerTimeoutError';
}

/** @throws AnswerTimeoutError when the answer takes longer. */
export async function within<Answer>(milliseconds: number, ask: () => Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AnswerTimeoutError(`no answer in ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([ask(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
