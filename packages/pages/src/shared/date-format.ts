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

export const formatDay = (seconds: number) =>
  isDate(seconds) ? dayFormat.format(seconds * 1000) : isoTime(seconds);
