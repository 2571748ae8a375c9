import type { ConfirmedAttestation } from 'imprimatur-client';
import { buildPages } from 'imprimatur-pages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StackFile } from '../../../local/stack/stack-file.ts';
import {
  authorityExample,
  readerExample,
  type ServedPages,
  servePages,
} from '../../../local/start/serve-pages.ts';
import { parseAuthorityLink } from '../../../packages/verifier/src/delegation/authority-link.ts';

let pages: ServedPages;

beforeAll(async () => {
  pages = await servePages();
});
afterAll(() => pages?.close());

test.each(buildPages())(
  'the server returns $name unchanged, and forbids framing',
  async ({ name, html, policy }) => {
    const response = await fetch(pages.urls[name]);
    expect(await response.text()).toBe(html);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toBe(`${policy}; frame-ancestors 'none'`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('the server has no other pages', async () => {
  expect((await fetch(new URL('/package.json', pages.urls.reader))).status).toBe(404);
});

const attestation = {
  chainId: 31_337,
  registryAddress: '0xRegistry',
  attestationIndex: 7,
  authorityAddress: '0xAuthority',
  contentCid: 'bafk',
} as ConfirmedAttestation;

const example = (rpcUrl: string) => readerExample(pages, { rpcUrl } as StackFile, attestation);

test("the reader's link contains the attestation and the local provider", () => {
  expect(example('http://127.0.0.1:8545')).toBe(
    `# verify it in a browser, with the provider http://127.0.0.1:8545\n${pages.urls.reader}#eip155:31337:0xRegistry/7/0xAuthority/bafk`,
  );
});

test("the reader's link omits the URL of a remote node", () => {
  expect(example('https://node.example/key')).not.toContain('node.example');
});

test("the authority's link contains the registry and the delegate", () => {
  const delegation: Pick<StackFile, 'chainId' | 'registryAddress' | 'delegateAddress'> = {
    chainId: 31_337,
    registryAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    delegateAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  };
  const [, url = ''] = authorityExample(pages, delegation as StackFile).split('\n');
  expect(url.startsWith(`${pages.urls.authority}#`)).toBe(true);
  expect(parseAuthorityLink(new URL(url).hash)).toEqual({ link: delegation, problems: [] });
});
