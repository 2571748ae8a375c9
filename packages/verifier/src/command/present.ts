import type { QuoteProofInvalidError } from '../quote/quote-proof.ts';
import type { QuoteVerdict } from '../quote/verify-quote.ts';
import { quoted } from '../reference/reference-parts.ts';
import { isVerified, reasonWords } from '../verdict/answer.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { isoTime } from '../verdict/words.ts';
import { checksOf, isOffline } from './checks.ts';

/** Formats why a quote proof says nothing of any attestation. */
export function presentInvalid(error: QuoteProofInvalidError, json: boolean): string {
  return json ? JSON.stringify(error.answer) : error.answerText;
}

/** The quoted pieces, a line each. */
function quotedLines({ quote: { segments } }: QuoteVerdict): string[] {
  return segments.map(({ text }) => `quoted  ${quoted(text)}`);
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
    ...(isOffline(verdict) ? { notChecked: verdict.notChecked, blockHash: block?.hash } : {}),
  });
}

function answerOf(verdict: Verdict | QuoteVerdict): string {
  const { attestation, block, reference } = verdict;
  const isAttested = isVerified(verdict) && attestation;
  const time = isAttested ? `attested ${isoTime(attestation.attestedAt)}` : '';
  if (!isOffline(verdict))
    return `${isAttested ? `verified: ${time}` : 'not verified'} (read at block ${block?.number})`;
  if (!isAttested) return 'not verified';
  const condition = `as of block ${block?.number} of chain ${reference.chainId}, if ${block?.hash} is that block`;
  return `verified ${condition}: ${time}`;
}

/** Formats the verdict for a person: a line for each check, then the outcome and what to know beside it. */
export function presentText(verdict: Verdict | QuoteVerdict): string {
  const { outcome, notices, text } = verdict;
  const lines = checksOf(verdict).map(
    ({ passed, statement }) => `${passed ? 'ok    ' : 'FAILED'}  ${statement}`,
  );
  const unchecked = isOffline(verdict)
    ? verdict.notChecked.map((name) => `--      not checked offline: ${name}`)
    : [];
  const pieces = 'quote' in verdict ? quotedLines(verdict) : [];
  const isOfText = text !== undefined || pieces.length > 0;
  const scope = isOfText ? '' : '; the text itself was not given (--file)';
  const why = outcome === 'verified' ? [] : [`${outcome}: ${reasonWords(verdict)}`];
  return [...pieces, ...lines, ...unchecked, `${answerOf(verdict)}${scope}`, ...why, ...notices].join('\n');
}
