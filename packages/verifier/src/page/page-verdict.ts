import type { Verdict } from '../verdict/verdict.ts';
import { partsOfPage, unescapeHtml } from './page-parts.ts';

const unknownPageNotice = 'It is unknown whether the page has the attested text: verify the text itself.';

/**
 * The verdict of a page whose text is not known. Anyone can name a valid attestation in a page with another text, so
 * `verified` and `superseded` become `unknown`.
 * @param why a sentence that says why the text is not known
 */
export function toPageVerdict<Answer extends Verdict>(verdict: Answer, why?: string): Answer {
  const { outcome, reason } = verdict;
  if (outcome !== 'verified' && outcome !== 'superseded') return verdict;
  const named =
    outcome === 'verified'
      ? 'The page names a valid attestation.'
      : `The page names an attestation whose authority names a newer version. ${reason}`;
  const unknown = [named, why, unknownPageNotice].filter((words) => words !== undefined).join(' ');
  return { ...verdict, outcome: 'unknown', reason: unknown };
}

function describeShown({ paragraph, paragraphs }: MissingParagraph): string {
  if (paragraph === undefined)
    return (
      'The words of the text are in the page’s source, in their order. ' +
      'It is unknown whether the page shows them, and its other content is not attested.'
    );
  return (
    'The page does not have the exact words of the text: ' +
    `the first difference is in paragraph ${paragraph} of ${paragraphs}. ` +
    'The reason may be markup or a change: rely on the text.'
  );
}

const textVerdictNotice = 'The verdict applies to the text, not to the page that names it.';

/** Adds notices about the page that names a text, and whether it shows the text's words. */
export function withPageNotices<Answer extends Verdict>(
  verdict: Answer,
  html: string,
  text: string | Uint8Array,
): Answer {
  if (!verdict.text?.isContent) return { ...verdict, notices: [textVerdictNotice, ...verdict.notices] };
  const missing = findMissingParagraph(
    html,
    typeof text === 'string' ? text : new TextDecoder().decode(text),
  );
  if (missing.paragraphs === 0) return { ...verdict, notices: [textVerdictNotice, ...verdict.notices] };
  const notices = [textVerdictNotice, describeShown(missing), ...verdict.notices];
  return { ...verdict, notices, pageShowsText: missing.paragraph === undefined };
}

/** Combining marks after the 30th on a letter, more than any language uses. They would slow down normalization. */
const excessMarks = /(?<=\p{M}{30})\p{M}{1,999}/gu;
/** Characters other than letters, marks, digits, and the signs and decimal separators of numbers. */
const separators = /(?:(?![-−+]\p{N})(?!(?<=\p{N})[.,]\p{N})[^\p{L}\p{M}\p{N}]){1,999}/gu;

/** Keeps only letters and numbers, because a page may have other spaces and punctuation. */
const lettersOf = (text: string) => text.replace(excessMarks, '').normalize('NFC').replace(separators, '');

function shownIn(html: string): string {
  let pageText = '';
  for (const { name, text } of partsOfPage(html)) if (name === '#text') pageText += unescapeHtml(text);
  return pageText;
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length + 1);
  for (let index = 1, border = 0; index < text.length; index++) {
    while (border > 0 && text[index] !== text[border]) border = borders[border] ?? 0;
    if (text[index] === text[border]) border++;
    borders[index + 1] = border;
  }
  return borders;
}

/** Finds the position after a text within another one, or `undefined`. Knuth-Morris-Pratt takes linear time. */
function findEnd(text: string, searched: string, from: number): number | undefined {
  const borders = bordersOf(text);
  for (let index = from, matched = 0; index < searched.length; index++) {
    while (matched > 0 && searched[index] !== text[matched]) matched = borders[matched] ?? 0;
    if (searched[index] === text[matched]) matched++;
    if (matched === text.length) return index + 1;
  }
  return undefined;
}

/** The first paragraph of a text whose words are not in a page. */
export interface MissingParagraph {
  /** From 1; `undefined` if the page has the words of all paragraphs in order. */
  readonly paragraph: number | undefined;
  /** Number of paragraphs with letters or digits. */
  readonly paragraphs: number;
}

/**
 * Searches a page's source for the letters and numbers of a text's paragraphs, in order, without the URLs of Markdown
 * links. The result is only a hint: style sheets hide and add words.
 */
export function findMissingParagraph(html: string, text: string): MissingParagraph {
  const pageLetters = lettersOf(shownIn(html));
  const paragraphs = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\]\([^()\n]*\)/g, ']')
    .split(/\n[\t ]*\n/)
    .map(lettersOf)
    .filter((letters) => letters !== '');
  let from = 0;
  for (const [index, letters] of paragraphs.entries()) {
    const end = findEnd(letters, pageLetters, from);
    if (end === undefined) return { paragraph: index + 1, paragraphs: paragraphs.length };
    from = end;
  }
  return { paragraph: undefined, paragraphs: paragraphs.length };
}
