import type { IncomingMessage } from 'node:http';
import { publicInternet } from 'imprimatur-verifier/network';
import { AnswerUnreadError, bodyOf, HostQuestion } from './ask-host.ts';

type Verifier = typeof import('imprimatur-verifier');

const maxRedirects = 3;

/** Where a redirect leads: to a domain by https on its own port, or nowhere. */
function redirectOf({ parseDomain }: Verifier, from: URL, { headers }: IncomingMessage): URL {
  const { location = '' } = headers;
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  const isSafe = to?.protocol === 'https:' && to.port === '' && to.username === '' && to.password === '';
  try {
    if (to && isSafe && parseDomain(to.hostname) !== '') return to;
  } catch {}
  throw new AnswerUnreadError('is redirected to where it is not looked for');
}

/**
 * Reads a domain's file of authorities, by https and from public addresses alone: a proof file or a page that names a domain
 * must not lead into the network of the one who verifies it.
 * @returns its bytes; `undefined` where the server says that there is none
 * @throws AnswerUnreadError, whose message goes on from "its file of authorities"; DomainInvalidError
 */
export async function fetchAuthorities(
  verifier: Verifier,
  domain: string,
  interruption: AbortSignal,
  network = publicInternet,
): Promise<Uint8Array | undefined> {
  let url = new URL(verifier.authoritiesUrl(domain));
  const question = new HostQuestion(network, interruption);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await question.ask(url, 'application/json');
    const { statusCode = 0 } = response;
    if (statusCode === 200) return bodyOf(response, verifier.maxAuthoritiesBytes);
    response.destroy();
    if (statusCode === 404 || statusCode === 410) return undefined;
    if (![301, 302, 303, 307, 308].includes(statusCode))
      throw new AnswerUnreadError(`is answered with HTTP ${statusCode}`);
    url = redirectOf(verifier, url, response);
  }
  throw new AnswerUnreadError('is redirected too often');
}
