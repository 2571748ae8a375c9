import { maxLinkedBytes } from 'imprimatur-verifier';
import { type GivenFile, GivenInvalidError } from '../given/given.ts';
import { askHost } from './ask-host.ts';

/**
 * Asks a host for the text that a page links to.
 * @throws GivenInvalidError, whose message goes on from the address
 */
export async function askForText(url: string): Promise<GivenFile> {
  const answer = await askHost(url, maxLinkedBytes);
  if (typeof answer === 'string') throw new GivenInvalidError(answer);
  const { status, isWebPage, bytes } = answer;
  if (status !== 200) throw new GivenInvalidError(`is answered with HTTP ${status}`);
  if (isWebPage) throw new GivenInvalidError('is answered with a web page, not a text');
  if (bytes.length > maxLinkedBytes) throw new GivenInvalidError('is longer than 1 MiB');
  return { name: url, bytes, kind: 'text', askedOf: new URL(url).hostname };
}
