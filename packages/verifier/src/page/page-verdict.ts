import type { Verdict } from '../verdict/verdict.ts';
import { partsOfPage, unescapeHtml } from './page-parts.ts';

const unknownOfPage = 'It is unknown whether the page has the attested text: verify the text itself.';

/**
 * The verdict of a page that names the attestation and whose own text is not known: anybody may name a true attestation
 * in a page with another text. Where the attestation stands, corrected or not, of the page that says nothing.
 * @param why why the text is not known, in a sentence
 */
export function toPageVerdict<Answer extends Verdict>(verdict: Answer, why?: string): Answer {
  const { outcome, reason } = verdict;
  if (outcome !== 'verified' && outcome !== 'superseded') return verdict;
  const named =
    outcome === 'verified'
      ? 'The page names a valid attestation.'
      : `The page names an attestation that has a newer version. ${reason}`;
  const unknown = [named, why, unknownOfPage].filter((words) => words !== undefined).join(' ');
  return { ...verdict, outcome: 'unknown', reason: unknown };
}

/** What of a text is in a page, as a hint. */
function shownWords({ paragraph, paragraphs }: MissingParagraph): string {
  if (paragraph === undefined)
    return (
      'The words of the text are in the page’s source, in their order. ' +
      'It is unknown whether the page shows them, and its other content is not attested.'
    );
  return (
    `The page does not have the exact words of the text, from paragraph ${paragraph} of ${paragraphs} on. ` +
    'That may be markup or a change: rely on the text.'
  );
}

const ofText = 'The verdict applies to the text, not to the page that names it.';

/** The verdict of a text, with a hint of whether the page that the reader has shows its words: HTML is not the text. */
export function withPageNotices<Answer extends Verdict>(
  verdict: Answer,
  html: string,
  text: string | Uint8Array,
): Answer {
  if (!verdict.text?.isContent) return { ...verdict, notices: [ofText, ...verdict.notices] };
  const unshown = findMissingParagraph(
    html,
    typeof text === 'string' ? text : new TextDecoder().decode(text),
  );
  if (unshown.paragraphs === 0) return { ...verdict, notices: [ofText, ...verdict.notices] };
  const notices = [ofText, shownWords(unshown), ...verdict.notices];
  return { ...verdict, notices, pageShowsText: unshown.paragraph === undefined };
}

/** Marks that are more than any language has on a letter, and take a normalizer ever longer. */
const endlessMarks = /(?<=\p{M}{30})\p{M}{1,999}/gu;
/** What is no letter, mark or digit, nor the sign or the point of a number. */
const between = /(?:(?![-−+]\p{N})(?!(?<=\p{N})[.,]\p{N})[^\p{L}\p{M}\p{N}]){1,999}/gu;

/** Letters and numbers alone: spaces and punctuation are other ones in a page than in a text. */
const lettersOf = (text: string) => text.replace(endlessMarks, '').normalize('NFC').replace(between, '');

function shownIn(html: string): string {
  let shown = '';
  for (const { name, text } of partsOfPage(html)) if (name === '#text') shown += unescapeHtml(text);
  return shown;
}

/** For each beginning of a text the length of the longest shorter one that it ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length + 1);
  for (let at = 1, border = 0; at < text.length; at++) {
    while (border > 0 && text[at] !== text[border]) border = borders[border] ?? 0;
    if (text[at] === text[border]) border++;
    borders[at + 1] = border;
  }
  return borders;
}

/** The place after a text in another, or `undefined`. By Knuth, Morris and Pratt: no text takes more than its length. */
function endOf(text: string, within: string, from: number): number | undefined {
  const borders = bordersOf(text);
  for (let at = from, matched = 0; at < within.length; at++) {
    while (matched > 0 && within[at] !== text[matched]) matched = borders[matched] ?? 0;
    if (within[at] === text[matched]) matched++;
    if (matched === text.length) return at + 1;
  }
  return undefined;
}

/** Which paragraph of a text is the first whose words are not in a page. */
export interface MissingParagraph {
  /** From 1 on; `undefined` where the page has all of them, in their order. */
  readonly paragraph: number | undefined;
  /** Number of the text's paragraphs that have letters or digits. */
  readonly paragraphs: number;
}

/**
 * Looks for the paragraphs of a text in a page's source, in their order, by their letters and numbers. The addresses of Markdown's links
 * are left out, for pages do not show them. It is a hint and no more: style sheets hide and add words.
 */
export function findMissingParagraph(html: string, text: string): MissingParagraph {
  const shown = lettersOf(shownIn(html));
  const paragraphs = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\]\([^()\n]*\)/g, ']')
    .split(/\n[\t ]*\n/)
    .map(lettersOf)
    .filter((letters) => letters !== '');
  let from = 0;
  for (const [place, letters] of paragraphs.entries()) {
    const end = endOf(letters, shown, from);
    if (end === undefined) return { paragraph: place + 1, paragraphs: paragraphs.length };
    from = end;
  }
  return { paragraph: undefined, paragraphs: paragraphs.length };
}
