/** Number of random cases: all of them with SOAK=1; without it, few enough to wait for. */
export function cases(few: number, all: number): number {
  return process.env.SOAK === '1' ? all : few;
}

/** Time-out of such a test, in milliseconds: an ordinary run that hangs is known within minutes. */
export const soakTimeout = cases(300_000, 3_600_000);
