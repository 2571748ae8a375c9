import { isoTime } from 'imprimatur-verifier';
import { momentWords } from './words.ts';

/** A block time, for readers and for programs. */
export function Moment({ seconds }: { readonly seconds: number }) {
  return <time dateTime={isoTime(seconds)}>{momentWords(seconds)}</time>;
}
