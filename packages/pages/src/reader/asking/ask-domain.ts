import {
  authoritiesUrl,
  checkPublisher,
  DomainInvalidError,
  maxAuthoritiesBytes,
  type PublisherFinding,
  parseDomain,
  unreadPublisher,
} from 'imprimatur-verifier';
import { GivenInvalidError } from '../given/given.ts';
import { askHost } from './ask-host.ts';
import type { AnyVerdict } from './check.ts';

/** What the domain serves: the file, `undefined` where there is none, or why neither is known. */
async function readFile(domain: string): Promise<Uint8Array | string | undefined> {
  const answer = await askHost(authoritiesUrl(domain), maxAuthoritiesBytes);
  if (typeof answer === 'string') return answer;
  const { status, bytes } = answer;
  if (status === 404 || status === 410) return undefined;
  return status === 200 ? bytes : `is answered with HTTP ${status}`;
}

function domainIn(text: string): string {
  try {
    return parseDomain(text);
  } catch (error) {
    if (!(error instanceof DomainInvalidError)) throw error;
    throw new GivenInvalidError('Give the name of a domain, such as example.org, without https://.');
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
  const file = await readFile(domain);
  if (typeof file === 'string') return unreadPublisher(domain, file);
  return checkPublisher(verdict, domain, file, { providers });
}
