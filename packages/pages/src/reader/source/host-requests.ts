import {
  authoritiesUrl,
  checkPublisher,
  DomainInvalidError,
  isWebPageType,
  maxAuthoritiesBytes,
  maxLinkedBytes,
  parseDomain,
  readBody,
  unreadPublisher,
} from 'imprimatur-verifier';
import { type InputFile, InputInvalidError } from '../input/input.ts';
import type { AnyVerdict } from './chain-source.ts';

/** The answer of a host. `bytes` may be cut off after the maximum. */
interface HostAnswer {
  readonly status: number;
  readonly isWebPage: boolean;
  readonly bytes: Uint8Array;
}

const timeoutMilliseconds = 15_000;

/** Sends a request that the reader agreed to. @returns the answer; in case of a failure, the end of a sentence */
async function requestHost(url: string, maxBytes: number): Promise<HostAnswer | string> {
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      // A redirect would reveal the reader to another host, too.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.type === 'opaqueredirect') return 'was redirected, and this page does not follow redirects';
    const isWebPage = isWebPageType(response.headers.get('content-type'));
    return { status: response.status, isWebPage, bytes: await readBody(response, maxBytes) };
  } catch {
    return 'could not be read: the host is unreachable, redirects, or does not allow other pages to read it';
  }
}

/** Fetches the text that a page links to. @throws InputInvalidError with the end of a sentence */
export async function fetchText(url: string): Promise<InputFile> {
  const answer = await requestHost(url, maxLinkedBytes);
  if (typeof answer === 'string') throw new InputInvalidError(answer);
  const { status, isWebPage, bytes } = answer;
  if (status !== 200) throw new InputInvalidError(`returned HTTP ${status}`);
  if (isWebPage) throw new InputInvalidError('is a web page, not a text');
  if (bytes.length > maxLinkedBytes) throw new InputInvalidError('is longer than 1 MiB');
  return { name: url, bytes, kind: 'text', host: new URL(url).hostname };
}

function parseDomainInput(text: string): string {
  try {
    return parseDomain(text);
  } catch (error) {
    if (!(error instanceof DomainInvalidError)) throw error;
    throw new InputInvalidError('Enter a domain name such as example.org, without https://.');
  }
}

/**
 * Checks whether a domain vouches for the authority.
 * @param providers for the signature of an authority that is a contract
 * @throws InputInvalidError
 */
export async function checkDomain(verdict: AnyVerdict, text: string, providers: readonly string[]) {
  const domain = parseDomainInput(text);
  const answer = await requestHost(authoritiesUrl(domain), maxAuthoritiesBytes);
  if (typeof answer === 'string') return unreadPublisher(domain, answer);
  const { status, bytes } = answer;
  const isMissing = status === 404 || status === 410;
  if (status !== 200 && !isMissing) return unreadPublisher(domain, `returned HTTP ${status}`);
  return checkPublisher(verdict, domain, isMissing ? undefined : bytes, { providers });
}
