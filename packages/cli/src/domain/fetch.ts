import { type IncomingMessage, request as requestHttp } from 'node:http';
import { authoritiesUrl, isWebPageType, maxAuthoritiesBytes, publicHttpsUrl } from 'imprimatur-verifier';
import {
  AddressPrivateError,
  lookupPublic,
  type PublicNetwork,
  publicInternet,
} from 'imprimatur-verifier/network';
import { UsageInvalidError } from '../errors.ts';
import type { Session } from '../session.ts';

const envName = 'IMPRIMATUR_DOMAIN_ORIGIN';

/** @throws UsageInvalidError for an origin that is not on this machine */
function developmentOrigin(origin: string): URL {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isLocal = url && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (isLocal && url.protocol === 'http:') return url;
  throw new UsageInvalidError(`${envName} must be an http origin on localhost; it is for development only`);
}

/** A network in which a server on this machine answers for every host. */
const localNetwork = (origin: URL): PublicNetwork => ({
  ...publicInternet,
  request: ({ pathname, search }, options) => requestHttp(new URL(pathname + search, origin), options),
  isPublic: () => true,
});

/** The network for requests to domains: the internet, or the local server that a variable names, with a notice. */
export function domainNetwork({ variables }: Session) {
  const value = variables[envName];
  const origin = value ? developmentOrigin(value) : undefined;
  return {
    network: origin ? localNetwork(origin) : publicInternet,
    noticesOf: (file: string, domain: string): readonly string[] =>
      origin ? [`${envName} is set: ${file} was read from ${origin.origin}, not from ${domain}.`] : [],
  };
}

/** A response that could not be read. The message continues a sentence that starts with the name of the resource. */
export class ResponseUnreadableError extends Error {}

const failureText = (error: unknown) =>
  error instanceof AddressPrivateError ? 'has an address that is not public' : 'could not be reached';

/** Makes a function that requests hosts of a network within one time limit. */
function makeRequester(network: PublicNetwork, interruption: AbortSignal) {
  const options = {
    // The default agent might use a proxy from the environment, which would resolve the name without the check.
    agent: false,
    lookup: lookupPublic(network.resolve, network.isPublic),
    signal: AbortSignal.any([interruption, AbortSignal.timeout(network.timeoutMilliseconds)]),
  } as const;
  return (url: URL, accept: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = network.request(url, { ...options, headers: { accept, 'user-agent': 'imprimatur' } });
      const fail = (cause?: unknown) => reject(new ResponseUnreadableError(failureText(cause), { cause }));
      sent.once('response', resolve);
      sent.once('error', fail);
      // An upgraded connection emits neither a response nor an error.
      sent.once('close', fail);
      sent.end();
    });
}

/** Reads the body, or at least one byte more than the maximum. @throws ResponseUnreadableError */
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
    throw new ResponseUnreadableError('is incomplete', { cause });
  }
  return Buffer.concat(chunks);
}

const maxRedirects = 3;

/**
 * Reads a domain's authorities file, over https and only from public addresses. Otherwise a proof file or page that
 * names a domain could reach into the user's network.
 * @returns its bytes; `undefined` if the server has none
 */
export async function fetchAuthorities(domain: string, interruption: AbortSignal, network = publicInternet) {
  let url = new URL(authoritiesUrl(domain));
  const request = makeRequester(network, interruption);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await request(url, 'application/json');
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return bodyOf(response, maxAuthoritiesBytes);
    response.destroy();
    if (statusCode === 404 || statusCode === 410) return undefined;
    if (![301, 302, 303, 307, 308].includes(statusCode))
      throw new ResponseUnreadableError(`returned HTTP ${statusCode}`);
    const target = publicHttpsUrl(headers.location ?? '', url.href);
    if (!target) throw new ResponseUnreadableError('is redirected to a URL that is not allowed');
    url = target;
  }
  throw new ResponseUnreadableError('has too many redirects');
}

/** Fetches a text from a public address only: a page must not reach into the user's network. Follows no redirects. */
export async function fetchText(
  url: string,
  maxBytes: number,
  interruption: AbortSignal,
  network = publicInternet,
) {
  const response = await makeRequester(network, interruption)(new URL(url), 'text/plain');
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) {
    response.destroy();
    const isRedirect = statusCode >= 300 && statusCode < 400;
    throw new ResponseUnreadableError(
      isRedirect ? 'is redirected; redirects are not followed' : `returned HTTP ${statusCode}`,
    );
  }
  const { 'content-encoding': encoding = 'identity', 'content-type': type } = headers;
  if (encoding !== 'identity') {
    response.destroy();
    throw new ResponseUnreadableError('is compressed, although the request did not allow that');
  }
  const bytes = await bodyOf(response, maxBytes);
  if (bytes.length > maxBytes)
    throw new ResponseUnreadableError(`is longer than the maximum of ${maxBytes.toLocaleString('en')} bytes`);
  // Many hosts serve a web page for a missing file.
  return { bytes, isWebPage: isWebPageType(type) };
}
