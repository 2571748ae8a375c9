/** Number of random cases: all of them with SOAK=1, otherwise only a few. */
export function caseCount(few: number, all: number): number {
  return process.env.SOAK === '1' ? all : few;
}
