/** With SOAK=1 the tests that draw many cases draw all of them; without, few enough to wait for. */
export function cases(few: number, all: number): number {
  return process.env.SOAK === '1' ? all : few;
}

/** Of such a test, in milliseconds: an ordinary run that hangs is known within minutes. */
export const soakTimeout = cases(300_000, 3_600_000);
