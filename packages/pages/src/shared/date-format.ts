import { isoTime } from 'imprimatur-verifier';

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Whether `Date` can represent the time. Providers can return any number. */
const isDate = (seconds: number) => Math.abs(seconds) <= 8_640_000_000_000;

export const formatTime = (seconds: number) =>
  isDate(seconds) ? `${timeFormat.format(seconds * 1000)} UTC` : isoTime(seconds);

/** Formats a time of the API, which is in ISO 8601. */
export const formatIsoTime = (time: string) => formatTime(Date.parse(time) / 1000);

export const formatDay = (seconds: number) =>
  isDate(seconds) ? dayFormat.format(seconds * 1000) : isoTime(seconds);

/** Formats a duration for sentences, such as "45 s", "12 min" or "3 h". */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
