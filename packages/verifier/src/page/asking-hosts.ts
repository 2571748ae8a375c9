import { DomainInvalidError, parseDomain } from '../publisher/domain.ts';

/**
 * The address that a page, a file or a redirect names, without its fragment, where it may be asked: by https at a domain, on the
 * usual port, without a password. A name may still lead to a private network: look at where it leads before you connect.
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
