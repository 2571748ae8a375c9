import type { Verdict } from '../verdict/verdict.ts';
import { isoTime } from '../verdict/words.ts';
import { checksOf } from './checks.ts';

/**
 * Whether the command calls it verified: every check passed. Of a superseded attestation too they do; of a text whose
 * quote root is not the registry's they do not, although the text is the attested one.
 */
export function isVerified(verdict: Verdict): boolean {
  return checksOf(verdict).every(({ passed }) => passed);
}

/** Formats the verdict for a script: one JSON object, without the text. */
export function presentJson(verdict: Verdict): string {
  const { reference, record, block, outcome, reason, notices, corrections, firstAttestedBy } = verdict;
  const attestedAt = record?.entry && isoTime(record.entry.timestamp);
  return JSON.stringify({
    verified: isVerified(verdict),
    ...reference,
    attestedAt,
    blockNumber: block?.number,
    checks: checksOf(verdict),
    ...{ outcome, reason, notices },
    notYetFinal: verdict.notYetFinal,
    differences: verdict.text?.differences,
    ...{ corrections, firstAttestedBy },
    registry: verdict.registry,
    revealBlock: verdict.attestation?.revealBlock,
    providers: verdict.providers,
    asked: verdict.asked,
  });
}

/** Formats the verdict for a person: a line for each check, then the outcome and what to know beside it. */
export function presentText(verdict: Verdict): string {
  const { outcome, reason, attestation, block, notices, text } = verdict;
  const lines = checksOf(verdict).map(
    ({ passed, statement }) => `${passed ? 'ok    ' : 'FAILED'}  ${statement}`,
  );
  const isAttested = isVerified(verdict) && attestation;
  const answer = isAttested ? `verified: attested ${isoTime(attestation.attestedAt)}` : 'not verified';
  const scope = text === undefined ? '; the text itself was not given (--file)' : '';
  const why = outcome === 'verified' ? [] : [`${outcome}: ${reason}`];
  return [...lines, `${answer} (read at block ${block?.number})${scope}`, ...why, ...notices].join('\n');
}
