import type { Verdict } from './verdict.ts';

const reason =
  'The page names an attestation that stands. Whether the page says what was attested is not known: verify the text itself.';

/**
 * The verdict of a page that names the attestation and whose own text is not known: anybody may name a true attestation
 * in a page with another text. Where the attestation stands, of the page that says nothing.
 */
export function ofPage(verdict: Verdict): Verdict {
  return verdict.outcome === 'verified' ? { ...verdict, outcome: 'unknown', reason } : verdict;
}
