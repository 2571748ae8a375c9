import { ArgumentInvalidError } from './errors.ts';

/** Timers of Node and of browsers end at once beyond it: 24.8 days. */
const longestTimerMs = 2 ** 31 - 1;

/** Seconds as a timer takes them: more than it holds is the most that it holds, and a time gone by is none. */
export function timerMs(seconds: number): number {
  return Math.max(0, Math.min(seconds * 1000, longestTimerMs));
}

/** A time-out that somebody chose; Infinity is one. @throws ArgumentInvalidError */
export function checkedTimeout(seconds: number): number {
  if (typeof seconds === 'number' && seconds > 0) return seconds;
  throw new ArgumentInvalidError('timeoutSeconds must be a number above 0');
}
