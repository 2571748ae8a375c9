import { styleText } from 'node:util';
import { fieldList, printable } from '../../admin/terminal/text.ts';
import type { OfflineVerdict, PublisherFinding, QuoteVerdict, Verdict } from '../../verifier/verifier.ts';

type AnyVerdict = Verdict | QuoteVerdict | OfflineVerdict;
/** What a domain says of the authority; `undefined` where none was asked. */
type Publisher = PublisherFinding | undefined;
type IsoTime = typeof import('../../verifier/verifier.ts').isoTime;

/** Whether the attestation stands, corrected or not, and the text or quote, if one was given, is what was attested. */
const isVerified = ({ outcome, quoteRootHolds }: AnyVerdict): boolean =>
  (outcome === 'verified' || outcome === 'superseded') && quoteRootHolds !== false;

/** 0 verified, 3 superseded, 2 where nothing is known, 1 any other, of a text with another quote root too. */
export function exitCodeOf(verdict: AnyVerdict): number {
  if (verdict.outcome === 'unknown') return 2;
  if (!isVerified(verdict)) return 1;
  return verdict.outcome === 'superseded' ? 3 : 0;
}

const vouches = (publisher: Publisher) => publisher?.outcome === 'vouches';

/** Green only where a domain says who the authority is, and what the reader has before him was compared. */
const styleOf = (verdict: AnyVerdict, publisher: Publisher) => {
  const code = exitCodeOf(verdict);
  const isCompared = 'quote' in verdict || verdict.text !== undefined;
  if (code === 0) return isCompared && vouches(publisher) ? 'green' : 'bold';
  return code === 1 ? 'red' : 'yellow';
};

/** Who the authority is, in words that end a headline. */
function whoWords(publisher: Publisher): string {
  if (!publisher) return 'who the authority is, nobody says here';
  const { outcome, domain } = publisher;
  if (outcome === 'vouches') return `${domain} vouches for the authority`;
  if (outcome === 'unknown') return `whether ${domain} vouches for the authority is not known`;
  return 'nobody vouches for the authority';
}

/** What became of the attestation that an altered text is not of: that outcome comes first, and would hide it. */
function sinceWords({ outcome, attestation, corrections }: AnyVerdict): string {
  if (outcome !== 'altered') return '';
  if (attestation && attestation.revokedAt !== 0) return '; it was withdrawn since';
  const isCorrected =
    corrections && (corrections.followed.length > 0 || corrections.unfollowedCid !== undefined);
  return isCorrected ? '; it was corrected since' : '';
}

/** The outcome and why, as one sentence if something follows. */
function otherHeadline(outcome: keyof typeof words, reason: string, since: string): string {
  return `${words[outcome]}: ${since === '' ? reason : reason.replace(/\.$/, '')}${since}`;
}

function headline(verdict: AnyVerdict, publisher: Publisher): string {
  const { outcome, reason, quoteRootHolds, text } = verdict;
  if (outcome === 'verified' && quoteRootHolds === false)
    return 'not verified: the text is the attested one, and its quote root is not that in the registry';
  if (outcome !== 'verified') return otherHeadline(outcome, reason, sinceWords(verdict));
  if ('quote' in verdict) return `verified: the authority stated this, and it stands; ${whoWords(publisher)}`;
  if (text) return `verified: this is the attested text, to the last byte; ${whoWords(publisher)}`;
  const who = publisher ? `; ${whoWords(publisher)}` : '';
  return `verified: it was attested, and stands; no text was compared with it${who}`;
}

const words = {
  unknown: 'unknown',
  notFound: 'not found',
  altered: 'altered',
  revoked: 'revoked',
  superseded: 'superseded',
} as const;

const nameOf = ({ domain, unicodeDomain }: PublisherFinding) =>
  unicodeDomain === undefined ? domain : `${domain} (${unicodeDomain})`;

/** What a reader may want to see of it, a line each. */
function fieldsOf(verdict: AnyVerdict, publisher: Publisher, isoTime: IsoTime): Record<string, string> {
  const { reference, attestation, block, providers } = verdict;
  const { chainId, registryAddress, authorityAddress, attestationIndex, contentCid } = reference;
  const depth = attestation?.revealBlock ? `, in block ${attestation.revealBlock.number}` : '';
  return {
    ...('quote' in verdict
      ? { quoted: verdict.quote.segments.map(({ text }) => JSON.stringify(text)).join(' … ') }
      : {}),
    authority: authorityAddress,
    ...(publisher && vouches(publisher) ? { publisher: nameOf(publisher) } : {}),
    ...(attestation ? { attested: `${isoTime(attestation.attestedAt)}${depth}` } : {}),
    ...(attestation && attestation.revokedAt > 0 ? { revoked: isoTime(attestation.revokedAt) } : {}),
    as: `${attestationIndex} of ${registryAddress} on chain ${chainId}`,
    content: contentCid,
    ...(block ? { 'read at': `block ${block.number}, ${block.hash}` } : {}),
    ...(providers.length > 0 ? { asked: providers.map(({ name }) => name).join(', ') } : {}),
  };
}

/**
 * Formats a verdict for a person: the answer, what it rests on, and what to know beside it.
 * @param isoTime that of the verifier, which is loaded where it is needed
 */
export function verdictText(
  verdict: AnyVerdict,
  publisher: Publisher,
  isColored: boolean,
  isoTime: IsoTime,
): string {
  const answer = printable(headline(verdict, publisher));
  const style = styleOf(verdict, publisher);
  const first = isColored ? styleText(style, answer, { validateStream: false }) : answer;
  const named = publisher ? [publisher.reason, ...publisher.notices] : [];
  const unchecked =
    'notChecked' in verdict ? verdict.notChecked.map((name) => `Not checked offline: ${name}.`) : [];
  const asOf =
    'notChecked' in verdict && verdict.block
      ? [
          `That holds if ${verdict.block.hash} is block ${verdict.block.number} of chain ${verdict.reference.chainId}.`,
        ]
      : [];
  const beside = [...named, ...asOf, ...verdict.notices, ...unchecked].map(printable);
  return [
    first,
    '',
    fieldList(fieldsOf(verdict, publisher, isoTime)),
    ...(beside.length > 0 ? ['', ...beside] : []),
  ].join('\n');
}

/** The verdict for scripts: one object, without the text. */
export function verdictJson(verdict: AnyVerdict, publisher: Publisher): object {
  const { outcome, reason, notices, reference, attestation, block, quoteRootHolds, notYetFinal } = verdict;
  const { corrections, firstAttestedBy, registry, providers, asked } = verdict;
  return {
    ...{
      verified: isVerified(verdict),
      outcome,
      reason,
      notices,
      reference,
      attestation,
      block,
      notYetFinal,
    },
    ...('quote' in verdict ? { quoted: verdict.quote.segments.map(({ text }) => text) } : {}),
    ...('notChecked' in verdict ? { notChecked: verdict.notChecked } : {}),
    ...{ quoteRootHolds, differences: verdict.text?.differences, corrections, firstAttestedBy },
    ...{ publisher, registry, providers, asked },
  };
}
