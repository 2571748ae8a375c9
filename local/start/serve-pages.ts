import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConfirmedAttestation } from 'imprimatur-client';
import { referenceOf } from 'imprimatur-client';
import { type BuiltPage, buildPages, headerPolicy, type PageName } from 'imprimatur-pages';
import { authorityLink } from 'imprimatur-verifier/delegation';
import { closeServers, listenOnLoopback } from '../proxy/listen.ts';
import type { StackFile } from '../stack/stack-file.ts';

export interface ServedPages {
  readonly urls: Readonly<Record<PageName, string>>;
  close(): Promise<void>;
}

/** Sends a page with the headers that a host should set. */
function send(page: BuiltPage | undefined, response: ServerResponse): void {
  if (!page) return void response.writeHead(404).end();
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', headerPolicy(page));
  response.setHeader('x-content-type-options', 'nosniff');
  response.end(page.html);
}

/** Serves the pages on loopback, at the first free port after the API's. */
export async function servePages(): Promise<ServedPages> {
  const built = buildPages();
  const pages = new Map(built.map((page) => [`/${page.name}.html`, page]));
  const answer = async ({ url = '' }: IncomingMessage, response: ServerResponse) =>
    send(pages.get(url.replace(/\?.*/, '')), response);
  const { servers, url } = await listenOnLoopback(undefined, answer);
  const urls = Object.fromEntries(built.map(({ name }) => [name, `${url}/${name}.html`]));
  return {
    urls: urls as Record<PageName, string>,
    close: () => closeServers(servers),
  };
}

/** Hides the URL of a remote node, which may contain a key, because terminal output is copied and logged. */
const providerText = (rpcUrl: string) =>
  new URL(rpcUrl).hostname === '127.0.0.1' ? rpcUrl : 'rpcUrl of .local/stack.json';

/** Makes a link to the reader's page with an attestation, and names the provider to use there. */
export function readerExample(
  { urls }: ServedPages,
  { rpcUrl }: StackFile,
  attestation: ConfirmedAttestation,
): string {
  return `# verify it in a browser, with the provider ${providerText(rpcUrl)}\n${urls.reader}#${referenceOf(attestation)}`;
}

/** Makes a link to the authority's page with registry and delegate. */
export function authorityExample({ urls }: ServedPages, stack: StackFile): string {
  const { chainId, registryAddress, delegateAddress } = stack;
  const link = authorityLink(urls.authority, { chainId, registryAddress, delegateAddress });
  return `# delegate with a browser wallet that is connected to this chain and funded\n${link}`;
}
