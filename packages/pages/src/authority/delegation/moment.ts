const form = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** A time of the chain, in seconds since 1970, as the page for readers writes it. */
export const momentText = (seconds: number) => `${form.format(seconds * 1000)} UTC`;
