import { isAddressEqual } from 'viem';
import type { OfflineVerdict } from '../proof/verify-offline.ts';
import type { QuoteVerdict } from '../quote/verify-quote.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import { quoted } from '../reference/reference-parts.ts';
import { formatReason, isVerified } from '../verdict/outcome.ts';
import { isoTime } from '../verdict/sentences.ts';
import type { Verdict } from '../verdict/verdict.ts';

export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly statement: string;
}

export const isOffline = (verdict: Verdict): verdict is OfflineVerdict => 'notChecked' in verdict;

/** Lists all checks, also those after a failed one. */
export function checksOf(verdict: Verdict | QuoteVerdict): Check[] {
  const { reference, registry, block, record, text, quoteRootHolds } = verdict;
  const { entry, indexByAuthority } = record ?? {};
  const { chainId, registryAddress, attestationIndex, authorityAddress, contentCid } = reference;
  const isAuthority = entry !== undefined && isAddressEqual(entry.authorityAddress, authorityAddress);
  const subject = `attestation ${attestationIndex}`;
  const quotesStatement = text
    ? 'the quote root matches the text'
    : `the proof matches the quote root of ${subject}`;
  const checks: (readonly [name: string, passed: boolean, statement: string])[] = [
    isOffline(verdict)
      ? ['proof', block !== undefined, 'the proof is valid for the block with this hash']
      : ['chain', block !== undefined, `the chain ID is ${chainId}`],
    ['registry', registry?.version !== undefined, `${registryAddress} is a known registry`],
    ['content', entry?.digest === digestOfCid(contentCid), `${subject} has the content ${contentCid}`],
    ['authority', isAuthority, `${subject} is by ${authorityAddress}`],
    [
      'index',
      indexByAuthority === attestationIndex,
      `the registry finds ${subject} by content and authority`,
    ],
    ['standing', entry?.revokedAt === 0, `${subject} is not revoked`],
  ];
  if (text) checks.push(['text', text.isContent, 'the CID matches the text']);
  if (text || 'quote' in verdict) checks.push(['quotes', quoteRootHolds === true, quotesStatement]);
  return checks.map(([name, passed, statement]) => ({ name, passed, statement }));
}

/** Formats the verdict as one JSON object, without the text but with quoted pieces. */
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

function summaryOf(verdict: Verdict | QuoteVerdict): string {
  const { attestation, block, reference } = verdict;
  const verifiedFacts = isVerified(verdict) && attestation;
  const time = verifiedFacts ? `attested ${isoTime(attestation.attestedAt)}` : '';
  if (!isOffline(verdict))
    return `${verifiedFacts ? `verified: ${time}` : 'not verified'} (read at block ${block?.number})`;
  if (!verifiedFacts) return 'not verified';
  const condition = `as of block ${block?.number} of chain ${reference.chainId}, if ${block?.hash} is that block`;
  return `verified ${condition}: ${time}`;
}

/** Formats the verdict as text: a line for each check, then the outcome and notices. */
export function presentText(verdict: Verdict | QuoteVerdict): string {
  const { outcome, notices, text } = verdict;
  const lines = checksOf(verdict).map(
    ({ passed, statement }) => `${passed ? 'ok    ' : 'FAILED'}  ${statement}`,
  );
  const unchecked = isOffline(verdict)
    ? verdict.notChecked.map((name) => `--      not checked offline: ${name}`)
    : [];
  const segments = 'quote' in verdict ? verdict.quote.segments : [];
  const pieces = segments.map(({ text: piece }) => `quoted  ${quoted(piece)}`);
  const coversText = text !== undefined || pieces.length > 0;
  const scope = coversText ? '' : '; to check the text, pass --file';
  const why = outcome === 'verified' ? [] : [`${outcome}: ${formatReason(verdict)}`];
  return [...pieces, ...lines, ...unchecked, `${summaryOf(verdict)}${scope}`, ...why, ...notices].join('\n');
}
