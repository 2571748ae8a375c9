/** A time of the chain, in seconds since 1970, as the person's own place writes it. */
export function momentText(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' });
}
