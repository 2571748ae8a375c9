import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { author, platform } from '../../../../contracts/test/chain/registry.ts';
import { registry, useRegistry } from '../../../../contracts/test/chain/use-registry.ts';
import { useBrowser } from '../../../../test/browser/use-browser.ts';
import { authorityLink } from '../../../verifier/src/delegation/authority-link.ts';
import { type OpenedPage, openPage, pageFile } from '../open-page.ts';
import { TestWallet } from './test-wallet.ts';

/** The page for authorities, with a wallet of the author. */
export interface OpenedAuthority extends OpenedPage {
  readonly wallet: TestWallet;
  readonly button: (name: string | RegExp) => ReturnType<Page['getByRole']>;
}

type Fields = Partial<Parameters<typeof authorityLink>[1]>;

/** Opens the page with a link from `imprimatur delegate`. */
export async function openAuthority(
  fields: Fields = {},
  options: BrowserContextOptions = {},
  otherWallets: readonly TestWallet[] = [],
): Promise<OpenedAuthority> {
  const wallet = new TestWallet(registry.chain.rpcUrl, author);
  const delegation = { chainId: 31_337, registryAddress: registry.address, delegateAddress: platform };
  const link = authorityLink(pageFile('authority'), { ...delegation, authorityAddress: author, ...fields });
  const opened = await openPage(browser, link, options, async (page) => {
    for (const each of [wallet, ...otherWallets]) await each.install(page);
  });
  const button = (name: string | RegExp) => opened.page.getByRole('button', { name });
  return { ...opened, wallet, button };
}

/** Opens the page and connects the wallet. */
export async function connectAuthority(...args: Parameters<typeof openAuthority>): Promise<OpenedAuthority> {
  const opened = await openAuthority(...args);
  await opened.button('Connect Test Wallet').click();
  await opened.page.getByText('May act for you').waitFor();
  return opened;
}

export let browser: Browser;

/** Starts the browser for the tests of a file, and the registry for the file or for each test. */
export function setUpAuthority(lifetime: 'file' | 'test'): void {
  useBrowser((opened) => {
    browser = opened;
  });
  useRegistry(lifetime);
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
}
