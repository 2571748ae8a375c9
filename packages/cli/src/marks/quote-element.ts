import type { QuoteProof } from 'imprimatur-verifier';
import { escapeHtml } from './page.ts';

const wordsOf = ({ segments }: QuoteProof) => segments.map(({ text }) => text).join(' … ');

/** Public tools take runs of white space for one space, and look for the words of the element in the proven chunks. */
const isSeen = (quote: QuoteProof) => {
  const proven = quote.proof.map(({ value: [, chunk] }) => chunk).join('');
  return proven.includes(wordsOf(quote).replaceAll(/\s+/g, ' ').trim());
};

export interface QuoteElement {
  readonly html: string;
  /** Whether public tools that compare its words show it as verified. */
  readonly isSeen: boolean;
}

export function quoteElement(quote: QuoteProof): QuoteElement {
  const proof = escapeHtml(JSON.stringify(quote));
  const words = escapeHtml(wordsOf(quote));
  return {
    html: `<blockquote data-indelible-quote="${proof}">${words}</blockquote>\n`,
    isSeen: isSeen(quote),
  };
}
