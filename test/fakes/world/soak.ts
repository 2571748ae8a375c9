/** Number of random cases: all of them with SOAK=1, otherwise only a few. */
export function caseCount(few: number, all: number): number {
  return process.env.SOAK === '1' ? all : few;
}

/** Time-out of a test with random cases, in milliseconds. An ordinary run that hangs fails within minutes. */
export const soakTimeout = caseCount(300_000, 3_600_000);
