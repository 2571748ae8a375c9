import { DomainInvalidError, parseDomain } from '../publisher/domain.ts';
import { type PagePart, partsOfPage } from './page-parts.ts';

/** Most bytes of a text that is read by a page's link. */
export const maxLinkedBytes = 1_048_576;

/** A link of a page to the text that is attested. */
export interface TextLink {
  /** As the page has it. */
  readonly href: string;
  /** Its address, where one may ask there. Look at where the name leads first: it may be a private network. */
  readonly url: string | undefined;
  /** The path from the page's folder, with slashes, where the link stays in it. */
  readonly path: string | undefined;
}

const hasWord = (words = '', word: string) =>
  words
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .includes(word);
const typeOf = ({ attributes }: PagePart) => attributes.get('type')?.split(';')[0]?.trim().toLowerCase();
const isTextLink = (part: PagePart) =>
  part.name === 'link' && hasWord(part.attributes.get('rel'), 'alternate') && typeOf(part) === 'text/plain';
const hrefOf = ({ attributes }: PagePart) => attributes.get('href')?.trim() || undefined;

const resolved = (href: string, base: string | undefined) =>
  URL.canParse(href, base) ? new URL(href, base) : undefined;

/** Stands for the page's folder, wherever that is. */
const folder = 'https://page.invalid/folder/';

function pathInFolder(href: string, base = ''): string | undefined {
  const place = resolved(base, folder);
  const { href: all, pathname } = resolved(href, place?.href) ?? {};
  // What is decoded must not be a way elsewhere.
  if (pathname === undefined || !all?.startsWith(folder) || /%(?:2f|5c|00)/i.test(pathname)) return undefined;
  try {
    return decodeURIComponent(pathname.slice(new URL(folder).pathname.length)) || undefined;
  } catch {
    return undefined;
  }
}

/** Whether it says what address the page calls its own. */
const isCanonical = ({ name, attributes }: PagePart) =>
  name === 'link' && hasWord(attributes.get('rel'), 'canonical');

/** The address of a link, where it says all of it. */
function wholeUrl(link: PagePart | undefined): string | undefined {
  const href = link && hrefOf(link);
  return href !== undefined && /^https?:/i.test(href) ? resolved(href, undefined)?.href : undefined;
}

/**
 * Finds a page's links to its attested text, each once: those with the title "Attested text", or else all to plain text. Several
 * leave it open which one is meant. Nothing is fetched.
 * @param pageUrl where the page is from; what it calls its own address without it
 */
export function textLinksOfPage(html: string, pageUrl?: string): TextLink[] {
  const all: PagePart[] = [];
  let base: string | undefined;
  let canonical: PagePart | undefined;
  for (const part of partsOfPage(html)) {
    if (isTextLink(part) && hrefOf(part) !== undefined) all.push(part);
    if (isCanonical(part)) canonical ??= part;
    if (part.name === 'base') base ??= part.attributes.get('href')?.trim();
  }
  const titled = all.filter(({ attributes }) => attributes.get('title') === 'Attested text');
  const place = pageUrl ?? wholeUrl(canonical);
  const baseUrl = base === undefined ? place : resolved(base, place)?.href;
  const hrefs = new Set((titled.length > 0 ? titled : all).map((part) => hrefOf(part) ?? ''));
  return [...hrefs].map((href) => ({
    href,
    url: publicHttpsUrl(href, baseUrl)?.href,
    path: pathInFolder(href, base),
  }));
}

/**
 * The address without its fragment, if it is https at a domain, on the usual port, without a password. It may still lead to
 * a private network.
 */
export function publicHttpsUrl(href: string, base?: string): URL | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    return undefined;
  try {
    parseDomain(url.hostname);
  } catch (error) {
    if (error instanceof DomainInvalidError) return undefined;
    throw error;
  }
  url.hash = '';
  return url;
}

/** Whether a content type is that of a web page, which many hosts serve for what is not there. */
export const isWebPageType = (contentType: string | null | undefined): boolean =>
  /^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType ?? '');
