import { styleText } from 'node:util';
import { fieldList, inOneLine } from 'imprimatur-terminal/text';
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
import type { CommandAnswer } from '../session.ts';
import type { LinkedText } from './linked-text.ts';

type AnyVerdict = Verdict | QuoteVerdict | OfflineVerdict;
/** Whether a domain vouches for the authority; `undefined` if no domain was asked. */
type Publisher = PublisherFinding | undefined;
interface Beside {
  readonly publisher?: Publisher;
  readonly linked?: LinkedText | undefined;
}

/** Green requires that a domain vouches for the authority and that the user's own input was compared. */
const styleOf = (verdict: AnyVerdict, { publisher, linked }: Beside) => {
  const code = exitCodeOf(verdict);
  const isCompared = 'quote' in verdict || (verdict.text !== undefined && !linked);
  if (code === 0) return isCompared && publisher?.outcome === 'vouches' ? 'green' : 'bold';
  return code === 1 ? 'red' : 'yellow';
};

function authorityText(publisher: Publisher): string {
  if (!publisher) return 'no domain was asked about the authority';
  const { outcome, domain } = publisher;
  if (outcome === 'vouches') return `${domain} vouches for the authority`;
  if (outcome === 'unknown') return `it is unknown whether ${domain} vouches for the authority`;
  return `${domain} does not vouch for the authority`;
}

function headline(verdict: AnyVerdict, { publisher, linked }: Beside): string {
  const { outcome, quoteRootHolds, text } = verdict;
  const linkedText = 'the text that the page links to';
  if (outcome === 'verified' && quoteRootHolds === false)
    return `not verified: ${linked ? linkedText : 'the text'} is the attested one, but its quote root is not the one in the registry`;
  if (outcome !== 'verified')
    return `${outcome === 'notFound' ? 'not found' : outcome}${linked ? ` (${linkedText})` : ''}: ${formatReason(verdict)}`;
  if ('quote' in verdict) return `verified: the authority attested this passage; ${authorityText(publisher)}`;
  const what = linked ? linkedText : 'this';
  const shown = verdict.pageShowsText === false ? ', but the page does not show its exact words' : '';
  if (text)
    return `verified: ${what} is the attested text, byte for byte${shown}; ${authorityText(publisher)}`;
  const who = publisher ? `; ${authorityText(publisher)}` : '';
  return `verified: the attestation is valid; no text was compared with it${who}`;
}

const nameOf = ({ domain, unicodeDomain }: PublisherFinding) =>
  unicodeDomain === undefined ? domain : `${domain} (${unicodeDomain})`;

function fieldsOf(verdict: AnyVerdict, { publisher, linked }: Beside): Record<string, string> {
  const { reference, attestation, block, providers } = verdict;
  const { chainId, registryAddress, authorityAddress, attestationIndex, contentCid } = reference;
  const depth = attestation?.revealBlock ? `, in block ${attestation.revealBlock.number}` : '';
  return {
    ...('quote' in verdict
      ? { quoted: verdict.quote.segments.map(({ text }) => JSON.stringify(text)).join(' … ') }
      : {}),
    ...(linked ? { text: linked.from } : {}),
    authority: authorityAddress,
    ...(publisher?.outcome === 'vouches' && { publisher: nameOf(publisher) }),
    ...(attestation ? { attested: `${isoTime(attestation.attestedAt)}${depth}` } : {}),
    ...(attestation && attestation.revokedAt > 0 ? { revoked: isoTime(attestation.revokedAt) } : {}),
    as: `${attestationIndex} of ${registryAddress} on chain ${chainId}`,
    content: contentCid,
    ...(block ? { 'read at': `block ${block.number}, ${block.hash}` } : {}),
    ...(providers.length > 0 ? { providers: providers.map(({ name }) => name).join(', ') } : {}),
    ...(linked?.asked === undefined ? {} : { 'text host': linked.asked }),
  };
}

function verdictText(verdict: AnyVerdict, beside: Beside, isColored: boolean): string {
  const { publisher, linked } = beside;
  const { block, reference } = verdict;
  const answer = inOneLine(headline(verdict, beside));
  const first = isColored ? styleText(styleOf(verdict, beside), answer, { validateStream: false }) : answer;
  const offline = 'notChecked' in verdict ? verdict.notChecked : undefined;
  const asOf =
    offline && block
      ? [`This is valid only if ${block.hash} is block ${block.number} of chain ${reference.chainId}.`]
      : [];
  // The first notice says that the verdict applies only to the text, so it follows the headline directly.
  const ofText = linked ? verdict.notices.slice(0, 1) : [];
  const notes = [
    ...(linked?.notices ?? []),
    ...(publisher ? [publisher.reason, ...publisher.notices] : []),
    ...asOf,
    ...verdict.notices.slice(ofText.length),
    ...(offline ?? []).map((name) => `Not checked offline: ${name}.`),
  ];
  return [
    first,
    ...ofText.map(inOneLine),
    '',
    fieldList(fieldsOf(verdict, beside)),
    ...(notes.length > 0 ? ['', ...notes.map(inOneLine)] : []),
  ].join('\n');
}

function verdictJson(verdict: AnyVerdict, { publisher, linked }: Beside): object {
  const { outcome, reason, notices, reference, attestation, block, quoteRootHolds, notYetFinal } = verdict;
  const { corrections, firstAttestedBy, registry, providers, asked } = verdict;
  return {
    ...{ verified: isVerified(verdict), outcome, reason },
    notices: [...(linked?.notices ?? []), ...notices],
    ...{ reference, attestation, block, notYetFinal },
    ...('quote' in verdict && { quoted: verdict.quote.segments.map(({ text }) => text) }),
    ...('notChecked' in verdict && { notChecked: verdict.notChecked }),
    ...(linked && { linkedText: { from: linked.from, asked: linked.asked ?? null } }),
    pageShowsText: verdict.pageShowsText,
    ...{ quoteRootHolds, differences: verdict.text?.differences, corrections, firstAttestedBy },
    ...{ publisher, registry, providers, asked },
  };
}

export const verdictAnswer = (verdict: AnyVerdict, beside: Beside, isColored: boolean): CommandAnswer => ({
  json: verdictJson(verdict, beside),
  text: verdictText(verdict, beside, isColored),
  exitCode: exitCodeOf(verdict),
});
