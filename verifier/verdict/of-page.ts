import type { Verdict } from './verdict.ts';

const unknownOfPage = 'Whether the page says what was attested is not known: verify the text itself.';

/**
 * The verdict of a page that names the attestation and whose own text is not known: anybody may name a true attestation
 * in a page with another text. Where the attestation stands, corrected or not, of the page that says nothing.
 */
export function ofPage(verdict: Verdict): Verdict {
  if (verdict.outcome === 'verified')
    return {
      ...verdict,
      outcome: 'unknown',
      reason: `The page names an attestation that stands. ${unknownOfPage}`,
    };
  if (verdict.outcome === 'superseded')
    return {
      ...verdict,
      outcome: 'unknown',
      reason: `The page names an attestation of which there is a newer version. ${verdict.reason} ${unknownOfPage}`,
    };
  return verdict;
}
