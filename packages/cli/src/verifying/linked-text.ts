import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { type AttestationReference, maxLinkedBytes, textLinksOfPage } from 'imprimatur-verifier';
import { domainNetwork, fetchText, ResponseUnreadableError } from '../domain/fetch.ts';
import { contentCid } from '../files/read-content.ts';
import type { Session } from '../session.ts';

export interface LinkedText {
  readonly bytes: Uint8Array;
  readonly from: string;
  /** The contacted host; `undefined` for a file. */
  readonly host: string | undefined;
  readonly notices: readonly string[];
}

export interface LinkingPage {
  readonly path: string;
  readonly html: string;
  readonly reference: AttestationReference;
  readonly mayFetch: boolean;
}

/** Whether there is no such file. Then the text may be at its URL. */
const isAbsent = (code: unknown) => code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG';

/**
 * Reads a file of a folder. Links must not lead out of the folder.
 * @returns the reason for a failure, as the end of a sentence; `undefined` if there is no such file
 */
async function readInFolder(folder: string, path: string): Promise<Uint8Array | string | undefined> {
  try {
    const file = await realpath(join(folder, path));
    const inner = relative(await realpath(folder), file);
    if (inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner))
      return 'is a link to another folder';
    const info = await stat(file);
    if (!info.isFile()) return undefined;
    if (info.size > maxLinkedBytes)
      return `is longer than the maximum of ${maxLinkedBytes.toLocaleString('en')} bytes`;
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return isAbsent(code) ? undefined : `cannot be read (${code})`;
  }
}

async function fetchLinked(session: Session, url: string, { contentCid: attested }: AttestationReference) {
  const { network, noticesOf } = domainNetwork(session);
  const { hostname } = new URL(url);
  session.note(`fetching the linked text from ${hostname} (--no-fetch skips this)`);
  try {
    const { bytes, isWebPage } = await fetchText(url, maxLinkedBytes, session.signal, network);
    // Many hosts serve a web page for a missing file.
    if (isWebPage && contentCid(bytes) !== attested) return 'is a web page, not a text';
    return { bytes, from: url, host: hostname, notices: noticesOf('the text', hostname) };
  } catch (error) {
    session.signal.throwIfAborted();
    if (error instanceof ResponseUnreadableError) return error.message;
    throw error;
  }
}

/** Reads the linked text from the page's folder, or else from its URL. @returns a sentence in case of a failure */
export async function readLinkedText(
  session: Session,
  { path: pagePath, html, reference, mayFetch }: LinkingPage,
): Promise<LinkedText | string> {
  const [link, ...others] = textLinksOfPage(html);
  if (!link) return 'It links to no text.';
  if (others.length > 0)
    return `It links to ${others.length + 1} texts, so it is unclear which one is attested.`;
  const { href, url, path } = link;
  const folder = dirname(pagePath);
  if (path !== undefined) {
    const bytes = await readInFolder(folder, path);
    if (typeof bytes === 'string') return `It links to ${href.slice(0, 200)}, which ${bytes}.`;
    if (bytes) return { bytes, from: join(folder, path), host: undefined, notices: [] };
  }
  const where = path === undefined ? 'which is not a path in its folder' : 'which is not in its folder';
  if (url === undefined)
    return `It links to ${href.slice(0, 200)}, ${where} and has no https URL that may be fetched.`;
  if (!mayFetch) return `It links to ${url}, which was not fetched.`;
  const fetched = await fetchLinked(session, url, reference);
  return typeof fetched === 'string' ? `It links to ${url}, which ${fetched}.` : fetched;
}
