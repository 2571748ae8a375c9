const characterReference = (character: string) => `&#x${character.codePointAt(0)?.toString(16)};`;

/** Escapes text for HTML content or double-quoted attributes. The result is ASCII, so it fits each page encoding. */
export function escapeHtml(text: string): string {
  return text.replace(/[^ !#-%'-;=?-~]/gu, characterReference);
}

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON for a script element: ASCII only, without characters that could end the element or start a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&]|[^ -~]/g, escapeCharacter);
}

/** The identifier of schema.org that names an attestation. @param reference as `formatReference` writes it */
export const attestationIdentifier = (reference: string) => ({
  ...{ '@type': 'PropertyValue', propertyID: 'attestation', value: reference },
});

/** A script element that names the attestation of a page's article. @param members further members of the article */
export function attestationScript(reference: string, members: object = {}): string {
  const article = {
    ...{ '@context': 'https://schema.org', '@type': 'NewsArticle' },
    ...{ identifier: attestationIdentifier(reference), ...members },
  };
  return `<script type="application/ld+json">${scriptJson(article)}</script>\n`;
}

/** CSS class of a badge. */
export const badgeClass = 'attestation-badge';
export const badgeWords = 'Check who published this, and when';

/** A magnifying glass. Not a check mark: anyone can add the badge, and readers still have to check. */
const icon =
  '<svg aria-hidden="true" focusable="false" width="16" height="16" viewBox="0 0 16 16" fill="none" ' +
  'stroke="currentColor" stroke-width="1.5"><circle cx="7" cy="7" r="5"/><path d="m11 11 4 4"/></svg>';

/** A link to the page for readers. @param isPublic whether public tools read the registry; they must skip the badge */
export function attestationBadge(href: string, isPublic: boolean, words = badgeWords): string {
  const exclude = isPublic ? ' data-indelible-exclude=""' : '';
  return `<a class="${badgeClass}"${exclude} href="${escapeHtml(href)}">${icon} ${escapeHtml(words)}</a>\n`;
}

/** The parts of a quote proof that its element needs. */
interface ProvenQuote {
  readonly segments: readonly { readonly text: string }[];
  readonly proof: readonly { readonly value: readonly string[] }[];
}

/** An element that shows a quote with its proof to public tools, which read only the public registry. */
export function quoteElement(quote: ProvenQuote): string {
  const proof = escapeHtml(JSON.stringify(quote));
  return `<blockquote data-indelible-quote="${proof}">${escapeHtml(quotedWords(quote))}</blockquote>\n`;
}

const quotedWords = ({ segments }: ProvenQuote) => segments.map(({ text }) => text).join(' … ');

/** Whether public tools find the words: they collapse white space and search in the proven chunks. */
export function isFoundByPublicTools(quote: ProvenQuote): boolean {
  const proven = quote.proof.map(({ value: [, chunk] }) => chunk).join('');
  return proven.includes(quotedWords(quote).replaceAll(/\s+/g, ' ').trim());
}
