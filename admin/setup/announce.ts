import type { Progress } from 'imprimatur-terminal/progress';

/** Prints at each interval what a long wait is for, and what the operator can do. */
export async function announce<Result>(
  progress: Progress,
  text: string,
  waiting: Promise<Result>,
  intervalMilliseconds = 30_000,
): Promise<Result> {
  const line = `${text} You can interrupt setup with Ctrl-C, and run it again to continue.`;
  const timer = setInterval(() => progress.print(line), intervalMilliseconds);
  return waiting.finally(() => clearInterval(timer));
}
