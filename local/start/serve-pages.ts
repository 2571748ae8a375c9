import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConfirmedAttestation } from 'imprimatur-client';
import { referenceOf } from 'imprimatur-client';
import { type BuiltPage, buildPages, headerPolicy, htmlFor, type PageName } from 'imprimatur-pages';
import { authorityLink } from 'imprimatur-verifier/delegation';
import { closeServers, firstApiPort, listenOnLoopback } from '../proxy/listen.ts';
import type { StackFile } from '../stack/stack-file.ts';

export interface ServedPages {
  readonly urls: Readonly<Record<PageName, string>>;
  /** Origin that the API has to allow. */
  readonly origin: string;
  /** Sets the service that publishers sign in to. */
  useService(apiUrl: string): void;
  close(): Promise<void>;
}

/** Sends a page with the headers that a host should set. */
function send(page: BuiltPage | undefined, apiUrl: string, response: ServerResponse): void {
  if (!page) return void response.writeHead(404).end();
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', headerPolicy(page));
  response.setHeader('x-content-type-options', 'nosniff');
  response.end(htmlFor(page, apiUrl));
}

/**
 * Serves the pages on loopback, at the first free port after the API's or, if `apiPort` is 0, at any free port. They start
 * before the API, which allows their origin.
 */
export async function servePages(apiPort = firstApiPort): Promise<ServedPages> {
  const built = buildPages();
  const pages = new Map(built.map((page) => [`/${page.name}.html`, page]));
  let serviceUrl = '';
  const answer = async ({ url = '' }: IncomingMessage, response: ServerResponse) =>
    send(pages.get(url.replace(/\?.*/, '')), serviceUrl, response);
  const { servers, url } = await listenOnLoopback(apiPort === 0 ? 0 : undefined, answer, apiPort + 1);
  const urls = Object.fromEntries(built.map(({ name }) => [name, `${url}/${name}.html`]));
  return {
    urls: urls as Record<PageName, string>,
    origin: url,
    useService: (apiUrl) => {
      serviceUrl = apiUrl;
    },
    close: () => closeServers(servers),
  };
}

/** Hides the URL of a remote node, which may contain a key, because terminal output is copied and logged. */
const providerText = (rpcUrl: string) =>
  new URL(rpcUrl).hostname === '127.0.0.1' ? rpcUrl : 'rpcUrl of .local/stack.json';

/** Makes a link to the page for readers with an attestation, and names the provider to use there. */
export function readerExample(
  { urls }: ServedPages,
  { rpcUrl }: StackFile,
  attestation: ConfirmedAttestation,
): string {
  return `# verify it in a browser, with the provider ${providerText(rpcUrl)}\n${urls.reader}#${referenceOf(attestation)}`;
}

/** Makes a link to the page for authorities with registry and delegate. */
export function authorityExample({ urls }: ServedPages, stack: StackFile): string {
  const { chainId, registryAddress, delegateAddress } = stack;
  const link = authorityLink(urls.authority, { chainId, registryAddress, delegateAddress });
  return `# delegate with a browser wallet that is connected to this chain and funded\n${link}`;
}
