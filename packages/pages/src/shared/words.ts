import { isoTime, knownChains } from 'imprimatur-verifier';

const form = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const dayForm = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Whether a provider's time, which may be any number, is one that dates have. */
const isDate = (seconds: number) => Math.abs(seconds) <= 8_640_000_000_000;

/** A block time, in seconds since 1970, as readers write it. */
export const momentWords = (seconds: number) =>
  isDate(seconds) ? `${form.format(seconds * 1000)} UTC` : isoTime(seconds);

/** Its day. */
export const dayWords = (seconds: number) =>
  isDate(seconds) ? dayForm.format(seconds * 1000) : isoTime(seconds);

/** Name of a chain with its id. */
export const chainWords = (chainId: number) => {
  const name = knownChains[chainId]?.name;
  return name === undefined ? `chain ${chainId}` : `${name} (chain ${chainId})`;
};

/** An address short enough for a sentence; in full it stands with the facts. */
export const shortAddress = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
