import { type AttestationReference, attestationBadge, badgeClass, escapeHtml } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { type ArticleFacts, jsonLdEdits } from './json-ld.ts';
import { type Edit, hasWord, insertion, type Page, type PageElement, readPage, withEdits } from './page.ts';

export interface Marks extends ArticleFacts {
  /** Reference for public tools; `undefined` in registries that these tools do not read. */
  readonly publicReference?: AttestationReference | undefined;
  readonly text?: string | undefined;
  /** URL of the page for readers, without a fragment. */
  readonly reader?: string | undefined;
  readonly badgeText: string;
}

const elementNamed = ({ elements }: Page, ...names: readonly string[]) =>
  names.map((name) => elements.find((element) => element.name === name)).find((element) => element);

/** Elements that belong to the head even without head tags. */
const headElements = ['base', 'link', 'meta', 'script', 'style', 'title'];

/** Position for additions to the head: its end, or the best guess without head tags. */
function endOfHead(page: Page): number {
  const head = elementNamed(page, 'head');
  if (head?.range.endTag) return head.range.endTag.startOffset;
  if (head?.range.startTag) return head.range.startTag.endOffset;
  const { elements, source } = page;
  const first = elements.findIndex(({ name }) => name !== 'html' && !headElements.includes(name));
  const last = elements.slice(0, first < 0 ? elements.length : first).at(-1);
  if (last) return last.name === 'html' ? (last.range.startTag?.endOffset ?? 0) : last.range.endOffset;
  return /^\s*<!doctype[^>]*>/i.exec(source)?.[0].length ?? 0;
}

/** Sets an attribute. Returns no edit if it already has this value. */
function attributeEdits({ name: element, attributes, range }: PageElement, name: string, value: string) {
  if (attributes.get(name) === value) return [];
  const text = `${name}="${escapeHtml(value)}"`;
  const oldAttribute = range.attrs?.[name];
  if (oldAttribute) return [{ start: oldAttribute.startOffset, end: oldAttribute.endOffset, text }];
  return [insertion(range.startOffset + 1 + element.length, ` ${text}`)];
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
  const existing = links.find(({ attributes }) => attributes.get('title') === linkTitle);
  if (existing) return attributeEdits(existing, 'href', text);
  const tag = `<link rel="alternate" type="text/plain" title="${linkTitle}" href="${escapeHtml(text)}" />\n`;
  return [insertion(head, tag)];
}

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

function endOfArticle(page: Page): number {
  const element = elementNamed(page, 'article', 'main', 'body');
  return (
    element?.range.endTag?.startOffset ??
    elementNamed(page, 'body')?.range.endTag?.startOffset ??
    page.source.length
  );
}

/** Adds a badge. An existing badge keeps its text and, without `reader`, its URL up to the reference. */
function badgeEdits(page: Page, { reader, reference, badgeText, publicReference }: Marks): Edit[] {
  const badge = page.elements.find(
    (element) => element.name === 'a' && hasWord(element, 'class', badgeClass),
  );
  const address = reader ?? badge?.attributes.get('href')?.split('#')[0];
  if (address === undefined) return [];
  const href = `${address}#${reference}`;
  if (badge) return attributeEdits(badge, 'href', href);
  return [insertion(endOfArticle(page), attestationBadge(href, publicReference !== undefined, badgeText))];
}

function addMarks(source: string, marks: Marks): string {
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
 * Marks a page with its attestation: JSON-LD, a link to the exact text, an attribute for public tools, and a badge.
 * Existing marks are updated, and everything else stays unchanged. All additions are ASCII.
 * @param source the page, one character for each byte
 */
export function markPage(source: string, marks: Marks): string {
  const page = addMarks(source, marks);
  // In some kinds of broken markup, parsers would not recognize the additions.
  if (addMarks(page, marks) === page) return page;
  throw new UsageInvalidError('the HTML is broken where the marks belong; fix it first');
}
