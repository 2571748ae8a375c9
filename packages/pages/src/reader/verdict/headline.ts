import type { AccidentKind, PublisherFinding } from 'imprimatur-verifier';
import { shortAddress } from '../../shared/chain-format.ts';
import { formatDay, formatTime } from '../../shared/date-format.ts';
import type { AnyVerdict } from '../source/chain-source.ts';

/** Color of a verdict. `good` is green, and only used if a domain vouches for the authority. */
export type Tone = 'good' | 'fair' | 'warn' | 'bad' | 'none';

const equalSign = 'M6 9.5h12M6 14.5h12';

/** SVG paths of the signs, in a square of 24. */
export const signs = {
  vouched: 'M6.5 12.5l3.8 3.8 7.5-8.3',
  unchanged: equalSign,
  similar: 'M5 10.5c2.3-2.6 4.6-2.6 7 0s4.7 2.6 7 0M5 15.5c2.3-2.6 4.6-2.6 7 0s4.7 2.6 7 0',
  altered: `${equalSign}M15.5 5.5l-7 13`,
  corrected: 'M5 12h13M12.5 6.5 18 12l-5.5 5.5',
  revoked: 'M7 7l10 10M17 7 7 17',
  notFound: 'M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M17.5 6l-11 12',
  unknown: 'M8.8 9.2a3.2 3.2 0 1 1 4.9 2.7c-1.1.7-1.7 1.3-1.7 2.6M12 18.2v.1',
  valid: 'M12 6.6v.1M12 10.8v6.6',
};

export type Sign = keyof typeof signs;

/** The part of a verdict that a reader sees first. */
export interface Headline {
  readonly tone: Tone;
  readonly sign: Sign;
  readonly title: string;
  readonly aside?: string;
  readonly summary: string;
}

type Publisher = PublisherFinding | undefined;

function signerHeadline(
  publisher: Publisher,
): Pick<Headline, 'tone' | 'sign'> & { aside: string; note: string } {
  const { outcome, domain } = publisher ?? {};
  if (outcome === 'vouches') {
    const note = `${domain} vouches for that address.`;
    return { tone: 'good', sign: 'vouched', aside: `Signed by ${domain}`, note };
  }
  const notVouched = domain
    ? `${domain} does not vouch for that address.`
    : 'It is unknown whose address that is.';
  const note =
    outcome === 'unknown' ? `It is unknown whether ${domain} vouches for that address.` : notVouched;
  return { tone: 'fair', sign: 'unchanged', aside: 'Signer unknown', note };
}

const titles = {
  another: ['Not the attested text', 'Its text is not the attested one'],
  corrected: ['Corrected: there is a newer version', 'Its text was corrected: there is a newer version'],
  sameWords: ['Same words, different line endings', 'Its text has the same words but different line endings'],
  similar: ['Not exactly the attested text', 'Its text is not exactly the attested one'],
  revoked: ['Revoked by the authority', 'Its text was revoked by the authority'],
} as const;

const titleOf = (name: keyof typeof titles, isOfPage: boolean) => titles[name][isOfPage ? 1 : 0];

const harmless: readonly AccidentKind[] = ['lineEndings', 'finalNewline'];

function alteredText({ text, reason }: AnyVerdict, isOfPage: boolean): Headline {
  // An altered verdict without a text is about a quote.
  if (!text) return { tone: 'bad', sign: 'altered', title: 'Not the attested passage', summary: reason };
  const { differences } = text;
  if (differences.length === 0)
    return {
      tone: 'bad',
      sign: 'altered',
      title: titleOf('another', isOfPage),
      summary:
        'The text was changed, or it is a different text. Check that you have the complete text and nothing else.',
    };
  const isHarmless = differences.every(({ kind }) => harmless.includes(kind));
  const statements = differences.map(({ statement }) => statement).join(' ');
  return {
    tone: 'warn',
    sign: 'similar',
    title: titleOf(isHarmless ? 'sameWords' : 'similar', isOfPage),
    summary: `The bytes differ from the attested text. These are all the differences: ${statements}`,
  };
}

/** Describes later changes of the attestation, which an `altered` verdict would not show. */
function laterChanges({ attestation, corrections }: AnyVerdict): Pick<Headline, 'aside'> & { tone?: Tone } {
  if (attestation && attestation.revokedAt !== 0)
    return { tone: 'bad', aside: `Revoked on ${formatDay(attestation.revokedAt)}` };
  if (corrections && corrections.followed.length > 0) return { aside: titleOf('corrected', false) };
  if (corrections?.unfollowedCid !== undefined) return { aside: 'Corrected: the newer version is unknown' };
  return {};
}

/** Makes the headline for the text of a page. Never green, because readers would apply it to the page. */
function pageTextHeadline(
  isShown: boolean,
  { by, at, since, note, aside }: Record<'by' | 'at' | 'since' | 'note' | 'aside', string>,
): Headline {
  const title = `Its text is unchanged since ${since}`;
  const summary = `Byte for byte, the text of the page is the text that ${by} attested on ${at}.`;
  if (isShown) return { tone: 'fair', sign: 'unchanged', title, aside, summary: `${summary} ${note}` };
  return {
    tone: 'warn',
    sign: 'similar',
    title,
    aside: 'The page does not show it word for word',
    summary: `${summary} The page shows the text in another form, or was changed. Rely on the text, not on the page. ${note}`,
  };
}

function verifiedHeadline(verdict: AnyVerdict, publisher: Publisher, isOfPage: boolean): Headline {
  const { attestation, text, quoteRootHolds, pageShowsText, reference } = verdict;
  const by = shortAddress(reference.authorityAddress);
  const at = attestation ? formatTime(attestation.attestedAt) : '';
  const since = attestation ? formatDay(attestation.attestedAt) : '';
  if (quoteRootHolds === false)
    return {
      tone: 'bad',
      sign: 'altered',
      title: 'Not verified: its quotes cannot be trusted',
      summary:
        'The text is the attested one, but its quote root in the registry belongs to another text. Quotes that are proven with it may not be in this text.',
    };
  const { note, ...signer } = signerHeadline(publisher);
  if ('quote' in verdict)
    return {
      ...signer,
      title: `Stated on ${since}`,
      summary: `${by} attested this passage on ${at}, word for word. ${note}`,
    };
  if (text && isOfPage) return pageTextHeadline(pageShowsText !== false, { by, at, since, note, ...signer });
  if (!text)
    return {
      tone: 'none',
      sign: 'valid',
      title: 'Attested, but no text was compared',
      summary: `${by} attested a text on ${at}, and the attestation is valid. To check whether your text is that text, add it.`,
    };
  return {
    ...signer,
    title: `Unchanged since ${since}`,
    summary: `Byte for byte, this is the text that ${by} attested on ${at}. ${note}`,
  };
}

function supersededHeadline(
  { text, reason, reference, attestation, corrections }: AnyVerdict,
  isOfPage: boolean,
): Headline {
  const newest = corrections?.followed.at(-1);
  const subject = !text ? 'The text' : isOfPage ? 'The text of the page' : 'This text';
  const by = shortAddress(reference.authorityAddress);
  const first = attestation
    ? `${subject} was attested by ${by} on ${formatDay(attestation.attestedAt)} and corrected later.`
    : reason;
  const then = newest
    ? `The newest version was attested on ${formatTime(newest.attestedAt)}.`
    : 'The newer version is unknown.';
  return {
    tone: 'warn',
    sign: 'corrected',
    title: titleOf('corrected', isOfPage),
    summary: `${first} ${then}`,
  };
}

/** Makes the headline of a verdict. @param isOfPage whether the text belongs to a page */
export function headlineOf(verdict: AnyVerdict, publisher: Publisher, isOfPage: boolean): Headline {
  const { outcome, reason, reference, attestation } = verdict;
  switch (outcome) {
    case 'verified':
      return verifiedHeadline(verdict, publisher, isOfPage);
    case 'superseded':
      return supersededHeadline(verdict, isOfPage);
    case 'altered':
      return { ...alteredText(verdict, isOfPage), ...laterChanges(verdict) };
    case 'revoked': {
      const at = attestation ? ` on ${formatDay(attestation.revokedAt)}` : '';
      const summary = `${shortAddress(reference.authorityAddress)} attested this text and revoked the attestation${at}. Do not rely on the text.`;
      return { tone: 'bad', sign: 'revoked', title: titleOf('revoked', isOfPage), summary };
    }
    case 'notFound':
      return { tone: 'bad', sign: 'notFound', title: 'No such attestation', summary: reason };
    case 'unknown':
      return {
        tone: 'none',
        sign: 'unknown',
        title: 'Unknown: it could not be checked',
        summary: `${reason} This is no evidence for or against the text.`,
      };
  }
}
