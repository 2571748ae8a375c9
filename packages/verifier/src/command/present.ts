import { isAddressEqual } from 'viem';
import type { OfflineVerdict } from '../proof/verify-offline.ts';
import type { QuoteVerdict } from '../quote/verify-quote.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import { quoted } from '../reference/reference-parts.ts';
import { isVerified, reasonWords } from '../verdict/answer.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { isoTime } from '../verdict/words.ts';

/** A statement that must hold, and whether it does. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  /** The statement in words. */
  readonly statement: string;
}

/** Whether it rests on a proof, and nobody was asked. */
export const isOffline = (verdict: Verdict): verdict is OfflineVerdict => 'notChecked' in verdict;

function checkPlace(verdict: Verdict): Check[] {
  const { reference, registry, block } = verdict;
  const { chainId, registryAddress } = reference;
  const isKnown = registry?.version !== undefined;
  const passed = block !== undefined;
  return [
    isOffline(verdict)
      ? { name: 'proof', passed, statement: 'the proof holds, and is of the block with that hash' }
      : { name: 'chain', passed, statement: `the chain's id is ${chainId}` },
    {
      name: 'registry',
      passed: isKnown,
      statement: `the contract at ${registryAddress} is a known registry`,
    },
  ];
}

function checkRecord({ reference, record }: Verdict): Check[] {
  const { contentCid, authorityAddress, attestationIndex } = reference;
  const { entry, indexByAuthority } = record ?? {};
  const isContent = entry?.digest === digestOfCid(contentCid);
  const isAuthority = entry !== undefined && isAddressEqual(entry.authorityAddress, authorityAddress);
  const isIndex = indexByAuthority === attestationIndex;
  const subject = `attestation ${attestationIndex}`;
  return [
    { name: 'content', passed: isContent, statement: `${subject} is of ${contentCid}` },
    { name: 'authority', passed: isAuthority, statement: `${subject} is by ${authorityAddress}` },
    { name: 'index', passed: isIndex, statement: `the registry finds ${subject} by content and authority` },
    { name: 'standing', passed: entry?.revokedAt === 0, statement: `${subject} is not revoked` },
  ];
}

function checkText({ text, quoteRootHolds }: Verdict): Check[] {
  if (!text) return [];
  return [
    { name: 'text', passed: text.isContent, statement: 'the CID is that of the text' },
    { name: 'quotes', passed: quoteRootHolds === true, statement: 'the quote root is that of the text' },
  ];
}

function checkQuote({ quote, quoteRootHolds }: QuoteVerdict): Check {
  const statement = `the proof leads to the quote root of attestation ${quote.attestationIndex}`;
  return { name: 'quotes', passed: quoteRootHolds === true, statement };
}

/** Lists everything that must hold, whether or not what is before it does. */
export function checksOf(verdict: Verdict | QuoteVerdict): Check[] {
  const quoted = 'quote' in verdict ? [checkQuote(verdict)] : [];
  return [...checkPlace(verdict), ...checkRecord(verdict), ...checkText(verdict), ...quoted];
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
  const segments = 'quote' in verdict ? verdict.quote.segments : [];
  const pieces = segments.map(({ text: piece }) => `quoted  ${quoted(piece)}`);
  const isOfText = text !== undefined || pieces.length > 0;
  const scope = isOfText ? '' : '; the text itself was not given (--file)';
  const why = outcome === 'verified' ? [] : [`${outcome}: ${reasonWords(verdict)}`];
  return [...pieces, ...lines, ...unchecked, `${answerOf(verdict)}${scope}`, ...why, ...notices].join('\n');
}
