/** Reads `Retry-After` (RFC 9110, 10.2.3) as seconds from now: a number of seconds, or a date. */
export function retryAfterSeconds(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  // Three letters of a weekday: `Date.parse` alone accepts "-5" and "soon 1" as dates too.
  const dateMs = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, (dateMs - nowMs) / 1000);
}
