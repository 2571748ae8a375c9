import { longestPauseMilliseconds } from './delivery.ts';

/** The three forms of a date of HTTP, of which the last has no zone and is in UTC (RFC 9110, 5.6.7). */
const dateForms = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/,
];

/**
 * Time for which a receiver asks to be left alone, in milliseconds, by its `Retry-After` (RFC 9110, 10.2.3): a number of seconds or
 * a date; at most the longest pause. 0 for a header that is absent, past or in another form.
 */
export function retryAfterMilliseconds(header: string | undefined, now: Date): number {
  const asked = askedMilliseconds(header ?? '', now);
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), longestPauseMilliseconds);
}

function askedMilliseconds(header: string, now: Date): number {
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  if (!dateForms.some((form) => form.test(header))) return Number.NaN;
  return Date.parse(header.endsWith(' GMT') ? header : `${header} GMT`) - now.getTime();
}
