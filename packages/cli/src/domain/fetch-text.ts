import { publicInternet } from 'imprimatur-verifier/network';
import { AnswerUnreadError, bodyOf, HostQuestion } from './ask-host.ts';

/** A text as its host serves it. */
export interface ServedText {
  readonly bytes: Uint8Array;
  /** Whether the host calls it a web page: for what is not there, many hosts serve one. */
  readonly isWebPage: boolean;
}

/**
 * Fetches a text from a public address alone: a page that links to it must not lead into the network of the one who verifies it.
 * No redirect is followed.
 * @throws AnswerUnreadError, whose message goes on from the address
 */
export async function fetchText(
  url: string,
  maxBytes: number,
  interruption: AbortSignal,
  network = publicInternet,
): Promise<ServedText> {
  const response = await new HostQuestion(network, interruption).ask(new URL(url), 'text/plain');
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) {
    response.destroy();
    const isRedirect = statusCode >= 300 && statusCode < 400;
    throw new AnswerUnreadError(
      isRedirect ? 'is redirected, which is not followed' : `is answered with HTTP ${statusCode}`,
    );
  }
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers;
  if (encoding !== 'identity') {
    response.destroy();
    throw new AnswerUnreadError('is answered in a compressed form, which was not asked for');
  }
  const bytes = await bodyOf(response, maxBytes);
  if (bytes.length > maxBytes)
    throw new AnswerUnreadError(`is longer than the ${maxBytes.toLocaleString('en')} bytes that are read`);
  return { bytes, isWebPage: /^\s*(text\/html|application\/xhtml\+xml)/i.test(type) };
}
