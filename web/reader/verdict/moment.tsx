import { isoTime } from '../../../verifier/verifier.ts';
import { momentWords } from './words.ts';

/** A block time, for readers and for programs. */
export function Moment({ seconds }: { readonly seconds: number }) {
  return <time dateTime={isoTime(seconds)}>{momentWords(seconds)}</time>;
}
