import type { AttestationReference } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { type ArticleFacts, jsonLdEdits } from './json-ld.ts';
import {
  type Edit,
  escapeHtml,
  hasWord,
  insertion,
  type Page,
  type PlacedElement,
  readPage,
  withEdits,
} from './page.ts';

export interface Marks extends ArticleFacts {
  /** The parts of the reference for public tools; `undefined` where those would look in another registry. */
  readonly publicReference?: AttestationReference | undefined;
  readonly text?: string | undefined;
  /** Address of the readers' page, without a fragment. */
  readonly reader?: string | undefined;
  readonly badgeText: string;
}

const elementNamed = ({ elements }: Page, ...names: readonly string[]) =>
  names.map((name) => elements.find((element) => element.name === name)).find((element) => element);

/** Elements of a head that stand before the page's body, whether their head has tags or not. */
const ofHead = ['base', 'link', 'meta', 'script', 'style', 'title'];

/** Where something is added to the head: at its end, or as near to that as its tags show. */
function endOfHead(page: Page): number {
  const head = elementNamed(page, 'head');
  if (head?.place.endTag) return head.place.endTag.startOffset;
  if (head?.place.startTag) return head.place.startTag.endOffset;
  const { elements, source } = page;
  const first = elements.findIndex(({ name }) => name !== 'html' && !ofHead.includes(name));
  const last = elements.slice(0, first < 0 ? elements.length : first).at(-1);
  if (last) return last.name === 'html' ? (last.place.startTag?.endOffset ?? 0) : last.place.endOffset;
  return /^\s*<!doctype[^>]*>/i.exec(source)?.[0].length ?? 0;
}

/** The edit that gives an attribute this value; none where it has it. */
function attributeEdits(
  { name: element, attributes, place }: PlacedElement,
  name: string,
  value: string,
): Edit[] {
  if (attributes.get(name) === value) return [];
  const text = `${name}="${escapeHtml(value)}"`;
  const former = place.attrs?.[name];
  if (former) return [{ start: former.startOffset, end: former.endOffset, text }];
  return [insertion(place.startOffset + 1 + element.length, ` ${text}`)];
}

const linkTitle = 'Attested text';

function textEdits(page: Page, { text }: Marks, head: number): Edit[] {
  if (text === undefined) return [];
  const links = page.elements.filter(
    (element) =>
      element.name === 'link' &&
      hasWord(element, 'rel', 'alternate') &&
      element.attributes.get('type')?.trim().toLowerCase() === 'text/plain',
  );
  if (links.some(({ attributes }) => attributes.get('href') === text)) return [];
  const own = links.find(({ attributes }) => attributes.get('title') === linkTitle);
  if (own) return attributeEdits(own, 'href', text);
  const tag = `<link rel="alternate" type="text/plain" title="${linkTitle}" href="${escapeHtml(text)}" />\n`;
  return [insertion(head, tag)];
}

/** The form that public tools read from the element with the article. */
function publicEdits(page: Page, { publicReference }: Marks): Edit[] {
  const marked = page.elements.find(({ attributes }) => attributes.has('data-indelible'));
  if (!publicReference) {
    if (!marked) return [];
    throw new UsageInvalidError(
      'the page has data-indelible, which is for the public registry only; remove it first',
    );
  }
  const { contentCid: ipfsCid, authorityAddress: authority, chainId, attestationIndex } = publicReference;
  const value = JSON.stringify({ ipfsCid, authority, chainId, attestationIndex });
  const element = marked ?? elementNamed(page, 'article', 'main', 'body');
  if (element) return attributeEdits(element, 'data-indelible', value);
  throw new UsageInvalidError('the page has no <article>, <main> or <body>, which public tools need');
}

const badgeClass = 'attestation-badge';
/** A magnifying glass, in the color of the text. No tick: anybody can put one into a page, and it is to be checked yet. */
const icon =
  '<svg aria-hidden="true" focusable="false" width="16" height="16" viewBox="0 0 16 16" fill="none" ' +
  'stroke="currentColor" stroke-width="1.5"><circle cx="7" cy="7" r="5"/><path d="m11 11 4 4"/></svg>';

function endOfArticle(page: Page): number {
  const element = elementNamed(page, 'article', 'main', 'body');
  return (
    element?.place.endTag?.startOffset ??
    elementNamed(page, 'body')?.place.endTag?.startOffset ??
    page.source.length
  );
}

/** A badge that is there keeps its address but for the reference, and what the publisher has made of it. */
function badgeEdits(page: Page, { reader, reference, badgeText, publicReference }: Marks): Edit[] {
  const own = page.elements.find((element) => element.name === 'a' && hasWord(element, 'class', badgeClass));
  const address = reader ?? own?.attributes.get('href')?.split('#')[0];
  if (address === undefined) return [];
  const href = `${address}#${reference}`;
  if (own) return attributeEdits(own, 'href', href);
  const exclude = publicReference ? ' data-indelible-exclude=""' : '';
  const tag = `<a class="${badgeClass}"${exclude} href="${escapeHtml(href)}">${icon} ${escapeHtml(badgeText)}</a>\n`;
  return [insertion(endOfArticle(page), tag)];
}

function marked(source: string, marks: Marks): string {
  const page = readPage(source);
  const head = endOfHead(page);
  return withEdits(source, [
    ...jsonLdEdits(page, marks, head),
    ...textEdits(page, marks, head),
    ...publicEdits(page, marks),
    ...badgeEdits(page, marks),
  ]);
}

/**
 * Marks a page with its attestation: in JSON-LD, by a link to the exact text, for public tools and by a badge, as far as the
 * marks say. A mark that is there already is changed where it says something else; all else stays as it is. Everything that
 * is added is ASCII.
 * @param source the page, a character for each byte
 */
export function markPage(source: string, marks: Marks): string {
  const page = marked(source, marks);
  // In markup that is broken in certain ways, what is added is not read as what it is.
  if (marked(page, marks) === page) return page;
  throw new UsageInvalidError('the HTML is broken where the marks belong; fix it first');
}
