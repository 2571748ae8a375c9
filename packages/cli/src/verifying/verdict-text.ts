import { styleText } from 'node:util';
import { fieldList, printableLine } from 'imprimatur-terminal/text';
import {
  exitCodeOf,
  formatReason,
  isoTime,
  isVerified,
  type OfflineVerdict,
  type PublisherFinding,
  type QuoteVerdict,
  type Verdict,
} from 'imprimatur-verifier';
import type { CommandResult } from '../session.ts';
import type { LinkedText } from './linked-text.ts';

type AnyVerdict = Verdict | QuoteVerdict | OfflineVerdict;
/** Whether a domain vouches for the authority; `undefined` if no domain was checked. */
type Publisher = PublisherFinding | undefined;
interface Context {
  readonly publisher?: Publisher;
  readonly linked?: LinkedText | undefined;
}

/** Green requires that a domain vouches for the authority and that the user's own input was compared. */
const styleOf = (verdict: AnyVerdict, { publisher, linked }: Context) => {
  const code = exitCodeOf(verdict);
  const isCompared = 'quote' in verdict || (verdict.text !== undefined && !linked);
  if (code === 0) return isCompared && publisher?.outcome === 'vouches' ? 'green' : 'bold';
  return code === 1 ? 'red' : 'yellow';
};

function authorityText(publisher: Publisher): string {
  if (!publisher) return 'no domain was checked for the authority';
  const { outcome, domain } = publisher;
  if (outcome === 'vouches') return `${domain} vouches for the authority`;
  if (outcome === 'unknown') return `it is unknown whether ${domain} vouches for the authority`;
  return `${domain} does not vouch for the authority`;
}

function headline(verdict: AnyVerdict, { publisher, linked }: Context): string {
  const { outcome, quoteRootHolds, text } = verdict;
  const linkedText = 'the text that the page links to';
  if (outcome === 'verified' && quoteRootHolds === false)
    return `not verified: ${linked ? linkedText : 'the text'} is the attested one, but its quote root is not the one in the registry`;
  if (outcome !== 'verified')
    return `${outcome === 'notFound' ? 'not found' : outcome}${linked ? ` (${linkedText})` : ''}: ${formatReason(verdict)}`;
  if ('quote' in verdict) return `verified: the authority attested this passage; ${authorityText(publisher)}`;
  const subject = linked ? linkedText : 'this';
  const shown = verdict.pageShowsText === false ? ', but the page does not show its exact words' : '';
  if (text)
    return `verified: ${subject} is the attested text, byte for byte${shown}; ${authorityText(publisher)}`;
  const who = publisher ? `; ${authorityText(publisher)}` : '';
  return `verified: the attestation is valid; no text was compared with it${who}`;
}

const nameOf = ({ domain, unicodeDomain }: PublisherFinding) =>
  unicodeDomain === undefined ? domain : `${domain} (${unicodeDomain})`;

function fieldsOf(verdict: AnyVerdict, { publisher, linked }: Context): Record<string, string> {
  const { reference, attestation, block, providers } = verdict;
  const { chainId, registryAddress, authorityAddress, attestationIndex, contentCid } = reference;
  const blockText = attestation?.revealBlock ? `, in block ${attestation.revealBlock.number}` : '';
  return {
    ...('quote' in verdict
      ? { quoted: verdict.quote.segments.map(({ text }) => JSON.stringify(text)).join(' … ') }
      : {}),
    ...(linked ? { text: linked.from } : {}),
    authority: authorityAddress,
    ...(publisher?.outcome === 'vouches' && { publisher: nameOf(publisher) }),
    ...(attestation ? { attested: `${isoTime(attestation.attestedAt)}${blockText}` } : {}),
    ...(attestation && attestation.revokedAt > 0 ? { revoked: isoTime(attestation.revokedAt) } : {}),
    as: `${attestationIndex} of ${registryAddress} on chain ${chainId}`,
    content: contentCid,
    ...(block ? { 'read at': `block ${block.number}, ${block.hash}` } : {}),
    ...(providers.length > 0 ? { providers: providers.map(({ name }) => name).join(', ') } : {}),
    ...(linked?.host === undefined ? {} : { 'text host': linked.host }),
  };
}

function verdictText(verdict: AnyVerdict, context: Context, isColored: boolean): string {
  const { publisher, linked } = context;
  const { block, reference } = verdict;
  const answer = printableLine(headline(verdict, context));
  const first = isColored ? styleText(styleOf(verdict, context), answer, { validateStream: false }) : answer;
  const offline = 'notChecked' in verdict ? verdict.notChecked : undefined;
  const condition =
    offline && block
      ? [`This is valid only if ${block.hash} is block ${block.number} of chain ${reference.chainId}.`]
      : [];
  // The first notice limits the verdict to the text, so it follows the headline directly.
  const textNotices = linked ? verdict.notices.slice(0, 1) : [];
  const notes = [
    ...(linked?.notices ?? []),
    ...(publisher ? [publisher.reason, ...publisher.notices] : []),
    ...condition,
    ...verdict.notices.slice(textNotices.length),
    ...(offline ?? []).map((name) => `Not checked offline: ${name}.`),
  ];
  return [
    first,
    ...textNotices.map(printableLine),
    '',
    fieldList(fieldsOf(verdict, context)),
    ...(notes.length > 0 ? ['', ...notes.map(printableLine)] : []),
  ].join('\n');
}

function verdictJson(verdict: AnyVerdict, { publisher, linked }: Context): object {
  const { outcome, reason, notices, reference, attestation, block, quoteRootHolds, notYetFinal } = verdict;
  const { corrections, firstAttestedBy, registry, providers, asked } = verdict;
  return {
    ...{ verified: isVerified(verdict), outcome, reason },
    notices: [...(linked?.notices ?? []), ...notices],
    ...{ reference, attestation, block, notYetFinal },
    ...('quote' in verdict && { quoted: verdict.quote.segments.map(({ text }) => text) }),
    ...('notChecked' in verdict && { notChecked: verdict.notChecked }),
    ...(linked && { linkedText: { from: linked.from, asked: linked.host ?? null } }),
    pageShowsText: verdict.pageShowsText,
    ...{ quoteRootHolds, differences: verdict.text?.differences, corrections, firstAttestedBy },
    ...{ publisher, registry, providers, asked },
  };
}

export const verdictResult = (verdict: AnyVerdict, context: Context, isColored: boolean): CommandResult => ({
  json: verdictJson(verdict, context),
  text: verdictText(verdict, context, isColored),
  exitCode: exitCodeOf(verdict),
});
