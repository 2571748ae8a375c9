import { isoTime, knownChains } from 'imprimatur-verifier';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Whether `Date` can represent the time. Providers can return any number. */
const isDate = (seconds: number) => Math.abs(seconds) <= 8_640_000_000_000;

export const formatTime = (seconds: number) =>
  isDate(seconds) ? `${format.format(seconds * 1000)} UTC` : isoTime(seconds);

export const formatDay = (seconds: number) =>
  isDate(seconds) ? dayFormat.format(seconds * 1000) : isoTime(seconds);

export const formatChain = (chainId: number) => {
  const name = knownChains[chainId]?.name;
  return name === undefined ? `chain ${chainId}` : `${name} (chain ${chainId})`;
};

/** A shortened address for use in sentences. */
export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
