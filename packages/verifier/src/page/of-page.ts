import type { Verdict } from '../verdict/verdict.ts';
import { firstUnshown, type Unshown } from './first-unshown.ts';

const unknownOfPage = 'Whether the page says what was attested is not known: verify the text itself.';

/**
 * The verdict of a page that names the attestation and whose own text is not known: anybody may name a true attestation
 * in a page with another text. Where the attestation stands, corrected or not, of the page that says nothing.
 * @param why why the text is not known, in a sentence
 */
export function ofPage<Answer extends Verdict>(verdict: Answer, why?: string): Answer {
  const { outcome, reason } = verdict;
  if (outcome !== 'verified' && outcome !== 'superseded') return verdict;
  const named =
    outcome === 'verified'
      ? 'The page names an attestation that stands.'
      : `The page names an attestation of which there is a newer version. ${reason}`;
  const unknown = [named, why, unknownOfPage].filter((words) => words !== undefined).join(' ');
  return { ...verdict, outcome: 'unknown', reason: unknown };
}

/** What of a text is in a page, as a hint. */
function shownWords({ paragraph, paragraphs }: Unshown): string {
  if (paragraph === undefined)
    return (
      'The words of the text are in the page’s source, in their order. ' +
      'Whether it shows them is not known, and what else it shows is not attested.'
    );
  return (
    `The words of the text are not in the page as they stand, from paragraph ${paragraph} of ${paragraphs} on. ` +
    'That may be markup, or a change: go by the text.'
  );
}

const ofText = 'The verdict is of the text, and not of the page that names it.';

/** The verdict of a text, with a hint of whether the page that the reader has shows its words: HTML is not the text. */
export function besidePage<Answer extends Verdict>(
  verdict: Answer,
  html: string,
  text: string | Uint8Array,
): Answer {
  if (!verdict.text?.isContent) return { ...verdict, notices: [ofText, ...verdict.notices] };
  const unshown = firstUnshown(html, typeof text === 'string' ? text : new TextDecoder().decode(text));
  if (unshown.paragraphs === 0) return { ...verdict, notices: [ofText, ...verdict.notices] };
  const notices = [ofText, shownWords(unshown), ...verdict.notices];
  return { ...verdict, notices, pageShowsText: unshown.paragraph === undefined };
}
