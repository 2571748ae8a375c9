const minute = 60;
const hour = 3_600;
const day = 86_400;

/** Formats a duration for a person, rounded down: `45 s`, `12 min`, `23 h`, `3 days`. */
export function durationText(seconds: number): string {
  if (seconds < 2 * minute) return `${Math.max(0, seconds)} s`;
  if (seconds < 2 * hour) return `${Math.floor(seconds / minute)} min`;
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)} h`;
  return `${Math.floor(seconds / day)} days`;
}
