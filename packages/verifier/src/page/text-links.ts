import { DomainInvalidError, parseDomain } from '../publisher/domain.ts';
import { type PagePart, partsOfPage } from './page-parts.ts';

/** Maximum length of a linked text. */
export const maxLinkedBytes = 1_048_576;

/** A link of a page to its attested text. */
export interface TextLink {
  readonly href: string;
  /** The absolute URL if it may be fetched. Check the resolved address first: it may be private. */
  readonly url: string | undefined;
  /** The path relative to the page's folder, if the link stays in it. */
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

const resolveUrl = (href: string, base: string | undefined) =>
  URL.canParse(href, base) ? new URL(href, base) : undefined;

const folder = 'https://page.invalid/folder/';

function pathInFolder(href: string, base = ''): string | undefined {
  const baseUrl = resolveUrl(base, folder);
  const { href: url, pathname } = resolveUrl(href, baseUrl?.href) ?? {};
  // Encoded slashes could leave the folder after decoding.
  if (pathname === undefined || !url?.startsWith(folder) || /%(?:2f|5c|00)/i.test(pathname)) return undefined;
  try {
    return decodeURIComponent(pathname.slice(new URL(folder).pathname.length)) || undefined;
  } catch {
    return undefined;
  }
}

const isCanonical = ({ name, attributes }: PagePart) =>
  name === 'link' && hasWord(attributes.get('rel'), 'canonical');

function absoluteUrl(link: PagePart | undefined): string | undefined {
  const href = link && hrefOf(link);
  return href !== undefined && /^https?:/i.test(href) ? resolveUrl(href, undefined)?.href : undefined;
}

/**
 * Finds a page's links to its attested text: those titled "Attested text", or else all to plain text. Fetches nothing.
 * @param pageUrl the page's URL; default: its canonical URL
 */
export function textLinksOfPage(html: string, pageUrl?: string): TextLink[] {
  const links: PagePart[] = [];
  let base: string | undefined;
  let canonical: PagePart | undefined;
  for (const part of partsOfPage(html)) {
    if (isTextLink(part) && hrefOf(part) !== undefined) links.push(part);
    if (isCanonical(part)) canonical ??= part;
    if (part.name === 'base') base ??= part.attributes.get('href')?.trim();
  }
  const titled = links.filter(({ attributes }) => attributes.get('title') === 'Attested text');
  const documentUrl = pageUrl ?? absoluteUrl(canonical);
  const baseUrl = base === undefined ? documentUrl : resolveUrl(base, documentUrl)?.href;
  const hrefs = new Set((titled.length > 0 ? titled : links).map((part) => hrefOf(part) ?? ''));
  return [...hrefs].map((href) => ({
    href,
    url: publicHttpsUrl(href, baseUrl)?.href,
    path: pathInFolder(href, base),
  }));
}

/**
 * The URL without its fragment, if it is https at a domain with the default port, and has no user name and no password.
 * The domain may resolve to a private address.
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

/** Whether a content type is that of a web page, which many hosts return for missing files. */
export const isWebPageType = (contentType: string | null | undefined): boolean =>
  /^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType ?? '');
