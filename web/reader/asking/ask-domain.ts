import {
  authoritiesUrl,
  checkPublisher,
  DomainInvalidError,
  maxAuthoritiesBytes,
  type PublisherFinding,
  parseDomain,
  unreadPublisher,
} from '../../../verifier/verifier.ts';
import { GivenInvalidError } from '../given/given.ts';
import type { AnyVerdict } from './check.ts';

const timeoutMilliseconds = 15_000;

/** A body, or so much of it that it shows to be too long: a server may go on for ever. */
async function bodyOf(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length <= maxAuthoritiesBytes) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) break;
    chunks.push(value);
    length += value.length;
  }
  await reader?.cancel();
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** What the domain serves: the file, `undefined` where there is none, or why neither is known. */
async function readFile(domain: string): Promise<Uint8Array | string | undefined> {
  try {
    const response = await fetch(authoritiesUrl(domain), {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      // The reader agreed to ask this domain: a host that it names instead would learn of him too.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.type === 'opaqueredirect') return 'is at another address, to which this page does not go';
    if ([404, 410].includes(response.status)) return undefined;
    return response.ok ? await bodyOf(response) : `is answered with HTTP ${response.status}`;
  } catch {
    return 'could not be reached, or is redirected, or the domain does not let pages read it';
  }
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
