import type { QuoteVerdict } from '../quote/verify-quote.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { isoTime } from '../verdict/words.ts';
import { checksOf } from './checks.ts';

/**
 * Whether the command calls it verified: every check passed. Of a superseded attestation too they do; of a text whose
 * quote root is not the registry's they do not, although the text is the attested one.
 */
export function isVerified(verdict: Verdict | QuoteVerdict): boolean {
  return checksOf(verdict).every(({ passed }) => passed);
}

/** The command's exit code: 0 verified, 3 superseded, 1 where a check failed, 2 where nothing is known. */
export function exitCodeOf(verdict: Verdict | QuoteVerdict): number {
  if (verdict.outcome === 'unknown') return 2;
  if (!isVerified(verdict)) return 1;
  return verdict.outcome === 'superseded' ? 3 : 0;
}

/** Formats why a quote proof says nothing of any attestation. */
export function presentInvalid({ message }: Error, json: boolean): string {
  return json ? JSON.stringify({ verified: false, reason: message }) : `not verified: ${message}`;
}

/** The quoted pieces, a line each; what a terminal would act on is written out. */
function quotedLines({ quote: { segments } }: QuoteVerdict): string[] {
  const written = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return segments.map(
    ({ text }) => `quoted  ${JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, written)}`,
  );
}

/** Formats the verdict for a script: one JSON object, without the text; of a quote, with the quoted pieces. */
export function presentJson(verdict: Verdict | QuoteVerdict): string {
  const { reference, record, block, outcome, reason, notices, corrections, firstAttestedBy } = verdict;
  const attestedAt = record?.entry && isoTime(record.entry.timestamp);
  return JSON.stringify({
    verified: isVerified(verdict),
    ...reference,
    attestedAt,
    blockNumber: block?.number,
    checks: checksOf(verdict),
    quoted: 'quote' in verdict ? verdict.quote.segments.map(({ text }) => text) : undefined,
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
export function presentText(verdict: Verdict | QuoteVerdict): string {
  const { outcome, reason, attestation, block, notices, text } = verdict;
  const lines = checksOf(verdict).map(
    ({ passed, statement }) => `${passed ? 'ok    ' : 'FAILED'}  ${statement}`,
  );
  const isAttested = isVerified(verdict) && attestation;
  const answer = isAttested ? `verified: attested ${isoTime(attestation.attestedAt)}` : 'not verified';
  const quoted = 'quote' in verdict ? quotedLines(verdict) : [];
  const isOfText = text !== undefined || quoted.length > 0;
  const scope = isOfText ? '' : '; the text itself was not given (--file)';
  const why = outcome === 'verified' ? [] : [`${outcome}: ${reason}`];
  return [...quoted, ...lines, `${answer} (read at block ${block?.number})${scope}`, ...why, ...notices].join(
    '\n',
  );
}
