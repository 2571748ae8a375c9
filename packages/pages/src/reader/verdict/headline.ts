import type { AccidentKind, PublisherFinding } from 'imprimatur-verifier';
import { dayWords, momentWords, shortAddress } from '../../shared/words.ts';
import type { AnyVerdict } from '../asking/asking.ts';

/** How a verdict is shown beside its words: `good`, in green, only where a domain vouches for who attested. */
export type Tone = 'good' | 'fair' | 'warn' | 'bad' | 'none';

const equals = 'M6 9.5h12M6 14.5h12';

/** The lines of each sign beside a verdict, on a square of 24. */
export const signs = {
  vouched: 'M6.5 12.5l3.8 3.8 7.5-8.3',
  unchanged: equals,
  similar: 'M5 10.5c2.3-2.6 4.6-2.6 7 0s4.7 2.6 7 0M5 15.5c2.3-2.6 4.6-2.6 7 0s4.7 2.6 7 0',
  altered: `${equals}M15.5 5.5l-7 13`,
  corrected: 'M5 12h13M12.5 6.5 18 12l-5.5 5.5',
  withdrawn: 'M7 7l10 10M17 7 7 17',
  notFound: 'M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M17.5 6l-11 12',
  unknown: 'M8.8 9.2a3.2 3.2 0 1 1 4.9 2.7c-1.1.7-1.7 1.3-1.7 2.6M12 18.2v.1',
  stands: 'M12 6.6v.1M12 10.8v6.6',
};

export type Sign = keyof typeof signs;

/** The verdict in a moment: what a reader sees first. */
export interface Headline {
  readonly tone: Tone;
  readonly sign: Sign;
  readonly title: string;
  /** What the title does not say, and must not be overlooked. */
  readonly aside?: string;
  readonly summary: string;
}

type Publisher = PublisherFinding | undefined;

/** What is said of who attested, and how it looks. */
function signerWords(publisher: Publisher): Pick<Headline, 'tone' | 'sign'> & { aside: string; who: string } {
  const { outcome, domain } = publisher ?? {};
  if (outcome === 'vouches') {
    const who = `${domain} vouches for that address.`;
    return { tone: 'good', sign: 'vouched', aside: `Signed by ${domain}`, who };
  }
  const nobody = domain
    ? `Nobody vouches for that address, ${domain} neither.`
    : 'Nobody vouches here for whose address that is.';
  const who = outcome === 'unknown' ? `Whether ${domain} vouches for that address is not known.` : nobody;
  return { tone: 'fair', sign: 'unchanged', aside: 'Signer unknown', who };
}

/** Titles of the verdict of a text, and of a text that is given with a page, which the verdict is not of. */
const titles = {
  another: ['Not the attested text', 'Its text is not the attested one'],
  corrected: [
    'Corrected since: there is a newer version',
    'Its text was corrected since: there is a newer version',
  ],
  sameWords: ['The same words, other line endings', 'Its text has the same words, other line endings'],
  similar: ['Not exactly the attested text', 'Its text is not exactly the attested one'],
  withdrawn: ['Withdrawn by the authority', 'Its text was withdrawn by the authority'],
} as const;

const titleOf = (name: keyof typeof titles, isOfPage: boolean) => titles[name][isOfPage ? 1 : 0];

const harmless: readonly AccidentKind[] = ['lineEndings', 'finalNewline'];

function alteredText({ text, reason }: AnyVerdict, isOfPage: boolean): Headline {
  // A quote's.
  if (!text) return { tone: 'bad', sign: 'altered', title: 'Not what was attested', summary: reason };
  const { differences } = text;
  if (differences.length === 0)
    return {
      tone: 'bad',
      sign: 'altered',
      title: titleOf('another', isOfPage),
      summary: 'It was changed, or it is another text. Check that you have all of it, and nothing around it.',
    };
  const isHarmless = differences.every(({ kind }) => harmless.includes(kind));
  const statements = differences.map(({ statement }) => statement).join(' ');
  return {
    tone: 'warn',
    sign: 'similar',
    title: titleOf(isHarmless ? 'sameWords' : 'similar', isOfPage),
    summary: `Byte for byte it is not what was attested. This is all of the difference: ${statements}`,
  };
}

/** What became of the attestation: `altered` comes before it, and the attested text itself may not stand any more. */
function sinceThen({ attestation, corrections }: AnyVerdict): Pick<Headline, 'aside'> & { tone?: Tone } {
  if (attestation && attestation.revokedAt !== 0)
    return { tone: 'bad', aside: `Withdrawn since ${dayWords(attestation.revokedAt)}` };
  if (corrections && corrections.followed.length > 0) return { aside: titleOf('corrected', false) };
  if (corrections?.unfollowedCid !== undefined)
    return { aside: 'Corrected since: which text took its place is not known' };
  return {};
}

/** Of a text that is given with a page: green would be taken for the page's. */
function textOfPage(
  isShown: boolean,
  { by, at, since, who, aside }: Record<'by' | 'at' | 'since' | 'who' | 'aside', string>,
): Headline {
  const title = `Its text is unchanged since ${since}`;
  const summary = `To the last byte, the text of the page is the one that ${by} attested on ${at}.`;
  if (isShown) return { tone: 'fair', sign: 'unchanged', title, aside, summary: `${summary} ${who}` };
  return {
    tone: 'warn',
    sign: 'similar',
    title,
    aside: 'The page does not show it word for word',
    summary: `${summary} What the page shows is in another form, or was changed: go by the text. ${who}`,
  };
}

function verified(verdict: AnyVerdict, publisher: Publisher, isOfPage: boolean): Headline {
  const { attestation, text, quoteRootHolds, pageShowsText, reference } = verdict;
  const by = shortAddress(reference.authorityAddress);
  const at = attestation ? momentWords(attestation.attestedAt) : '';
  const since = attestation ? dayWords(attestation.attestedAt) : '';
  if (quoteRootHolds === false)
    return {
      tone: 'bad',
      sign: 'altered',
      title: 'Not verified: its quotes cannot be trusted',
      summary:
        'The text is the attested one, but the quote root in the registry is that of another: quotes that are proven by it need not be in this text.',
    };
  const { who, ...signer } = signerWords(publisher);
  if ('quote' in verdict)
    return {
      ...signer,
      title: `Stated on ${since}`,
      summary: `${by} attested this passage on ${at}, word for word. ${who}`,
    };
  if (text && isOfPage) return textOfPage(pageShowsText !== false, { by, at, since, who, ...signer });
  if (!text)
    return {
      tone: 'none',
      sign: 'stands',
      title: 'Attested, but no text was compared',
      summary: `${by} attested a text on ${at}, and it stands. To see whether your text is that one, add it.`,
    };
  return {
    ...signer,
    title: `Unchanged since ${since}`,
    summary: `To the last byte, this is the text that ${by} attested on ${at}. ${who}`,
  };
}

function superseded(
  { text, reason, reference, attestation, corrections }: AnyVerdict,
  isOfPage: boolean,
): Headline {
  const newest = corrections?.followed.at(-1);
  const ofText = isOfPage ? 'The text of the page is what' : 'This is what';
  const first = attestation
    ? `${text ? ofText : 'What'} ${shortAddress(reference.authorityAddress)} attested on ${dayWords(attestation.attestedAt)}${text ? ', and' : ''} it has been corrected since.`
    : reason;
  const then = newest
    ? `The newest version is of ${momentWords(newest.attestedAt)}.`
    : 'Which text took its place is not known.';
  return {
    tone: 'warn',
    sign: 'corrected',
    title: titleOf('corrected', isOfPage),
    summary: `${first} ${then}`,
  };
}

/**
 * The first thing to be told about a verdict.
 * @param isOfPage whether the text is that of a page, of which the verdict says nothing
 */
export function headlineOf(verdict: AnyVerdict, publisher: Publisher, isOfPage: boolean): Headline {
  const { outcome, reason, reference, attestation } = verdict;
  switch (outcome) {
    case 'verified':
      return verified(verdict, publisher, isOfPage);
    case 'superseded':
      return superseded(verdict, isOfPage);
    case 'altered':
      return { ...alteredText(verdict, isOfPage), ...sinceThen(verdict) };
    case 'revoked': {
      const at = attestation ? ` on ${dayWords(attestation.revokedAt)}` : '';
      const summary = `${shortAddress(reference.authorityAddress)} attested it, and took that back${at}. Do not rely on it.`;
      return { tone: 'bad', sign: 'withdrawn', title: titleOf('withdrawn', isOfPage), summary };
    }
    case 'notFound':
      return { tone: 'bad', sign: 'notFound', title: 'No such attestation', summary: reason };
    case 'unknown':
      return {
        tone: 'none',
        sign: 'unknown',
        title: 'Unknown: it could not be checked',
        summary: `${reason} This says nothing against the text, and nothing for it.`,
      };
  }
}
