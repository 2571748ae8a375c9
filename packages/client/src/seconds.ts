import { ArgumentInvalidError } from './errors.ts';

/** The longest timer, 24.8 days: timers of Node and of browsers end at once beyond it. */
const longestTimerMs = 2 ** 31 - 1;

/** Converts seconds for a timer: a longer time becomes the longest timer, a negative time becomes 0. */
export function timerMs(seconds: number): number {
  return Math.max(0, Math.min(seconds * 1000, longestTimerMs));
}

/** Checks a caller's time-out; Infinity is allowed. @throws ArgumentInvalidError */
export function checkedTimeout(seconds: number): number {
  if (typeof seconds === 'number' && seconds > 0) return seconds;
  throw new ArgumentInvalidError('timeoutSeconds must be a number above 0');
}
