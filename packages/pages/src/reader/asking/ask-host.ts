import {
  authoritiesUrl,
  checkPublisher,
  DomainInvalidError,
  isWebPageType,
  maxAuthoritiesBytes,
  maxLinkedBytes,
  type PublisherFinding,
  parseDomain,
  readBody,
  unreadPublisher,
} from 'imprimatur-verifier';
import { type GivenFile, GivenInvalidError } from '../given/given.ts';
import type { AnyVerdict } from './asking.ts';

/** What a host answers: its bytes, or so many of them that they show to be too many. */
interface HostAnswer {
  readonly status: number;
  readonly isWebPage: boolean;
  readonly bytes: Uint8Array;
}

const timeoutMilliseconds = 15_000;

/**
 * Asks a host that the reader agreed to ask, and no other.
 * @returns why there is no answer, in words that go on from the name of what was asked for, where there is none
 */
async function askHost(url: string, maxBytes: number): Promise<HostAnswer | string> {
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      // A host that it names instead would learn of the reader too.
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

/**
 * Asks a host for the text that a page links to.
 * @throws GivenInvalidError, whose message goes on from the address
 */
export async function askForText(url: string): Promise<GivenFile> {
  const answer = await askHost(url, maxLinkedBytes);
  if (typeof answer === 'string') throw new GivenInvalidError(answer);
  const { status, isWebPage, bytes } = answer;
  if (status !== 200) throw new GivenInvalidError(`is answered with HTTP ${status}`);
  if (isWebPage) throw new GivenInvalidError('is a web page, not a text');
  if (bytes.length > maxLinkedBytes) throw new GivenInvalidError('is longer than 1 MiB');
  return { name: url, bytes, kind: 'text', askedOf: new URL(url).hostname };
}

function domainIn(text: string): string {
  try {
    return parseDomain(text);
  } catch (error) {
    if (!(error instanceof DomainInvalidError)) throw error;
    throw new GivenInvalidError('Enter a domain name such as example.org, without https://.');
  }
}

/**
 * Asks a domain whether it vouches for who attested.
 * @param providers whom to ask where the authority is a contract
 * @throws GivenInvalidError
 */
export async function askDomain(
  verdict: AnyVerdict,
  text: string,
  providers: readonly string[],
): Promise<PublisherFinding> {
  const domain = domainIn(text);
  const answer = await askHost(authoritiesUrl(domain), maxAuthoritiesBytes);
  if (typeof answer === 'string') return unreadPublisher(domain, answer);
  const { status, bytes } = answer;
  const isMissing = status === 404 || status === 410;
  if (status !== 200 && !isMissing) return unreadPublisher(domain, `is answered with HTTP ${status}`);
  return checkPublisher(verdict, domain, isMissing ? undefined : bytes, { providers });
}
