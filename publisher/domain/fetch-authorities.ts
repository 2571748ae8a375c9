import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { AddressPrivateError, lookupPublic, type PublicNetwork, publicInternet } from './public-address.ts';

type Verifier = typeof import('../../verifier/verifier.ts');

/** A file of authorities that could not be read; the message goes on from "its file of authorities". */
export class AuthoritiesUnreadError extends Error {
  override name = 'AuthoritiesUnreadError';
}

const maxRedirects = 3;

/** An agent of its own: it takes no proxy from the environment, which would resolve the name by itself. */
const options = {
  agent: false,
  headers: { accept: 'application/json', 'user-agent': 'imprimatur' },
} as const;

function wordsOf(error: unknown): string {
  if (error instanceof AddressPrivateError) return 'is at an address that is not public';
  return 'could not be reached';
}

function respond(
  request: PublicNetwork['request'],
  url: URL,
  lookupAddress: RequestOptions['lookup'],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, lookup: lookupAddress, signal });
    sent.once('response', resolve);
    sent.once('error', (cause) => reject(new AuthoritiesUnreadError(wordsOf(cause), { cause })));
    sent.end();
  });
}

/** The body, or so much of it that it shows to be too long. */
async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch (cause) {
    throw new AuthoritiesUnreadError('breaks off', { cause });
  }
  return Buffer.concat(chunks);
}

/** Where a redirect leads: to a domain by https on its own port, or nowhere. */
function redirectOf({ parseDomain }: Verifier, from: URL, { headers }: IncomingMessage): URL {
  const { location = '' } = headers;
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  const isSafe = to?.protocol === 'https:' && to.port === '' && to.username === '' && to.password === '';
  try {
    if (to && isSafe && parseDomain(to.hostname) !== '') return to;
  } catch {}
  throw new AuthoritiesUnreadError('is redirected to where it is not looked for');
}

/**
 * Reads a domain's file of authorities, by https and from public addresses alone: a proof file or a page that names a domain
 * must not lead into the network of the one who verifies it.
 * @returns its bytes; `undefined` where the server says that there is none
 * @throws AuthoritiesUnreadError, DomainInvalidError
 */
export async function fetchAuthorities(
  verifier: Verifier,
  domain: string,
  interruption: AbortSignal,
  network = publicInternet,
): Promise<Uint8Array | undefined> {
  const signal = AbortSignal.any([interruption, AbortSignal.timeout(network.timeoutMilliseconds)]);
  const lookupAddress = lookupPublic(network.resolve, network.isPublic);
  let url = new URL(verifier.authoritiesUrl(domain));
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await respond(network.request, url, lookupAddress, signal);
    const { statusCode = 0 } = response;
    if (statusCode === 200) return bodyOf(response, verifier.maxAuthoritiesBytes);
    response.destroy();
    if (statusCode === 404 || statusCode === 410) return undefined;
    if (![301, 302, 303, 307, 308].includes(statusCode))
      throw new AuthoritiesUnreadError(`is answered with HTTP ${statusCode}`);
    url = redirectOf(verifier, url, response);
  }
  throw new AuthoritiesUnreadError('is redirected too often');
}

/**
 * Reads the file from a server of this machine in place of the domain, for development.
 * @param origin an http origin on localhost, 127.0.0.1 or [::1]
 */
export async function fetchFromDevelopment(
  { authoritiesUrl, maxAuthoritiesBytes }: Verifier,
  domain: string,
  origin: URL,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const url = new URL(new URL(authoritiesUrl(domain)).pathname, origin);
  const response = await respond(requestHttp, url, undefined, signal);
  if (response.statusCode === 200) return bodyOf(response, maxAuthoritiesBytes);
  response.destroy();
  return undefined;
}
