import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  author,
  platform,
  type RegistryFixture,
  startRegistry,
} from '../../../../contracts/test/chain/registry.ts';
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
  browser: Browser,
  registry: RegistryFixture,
  fields: Fields = {},
  options: BrowserContextOptions = {},
  more: readonly TestWallet[] = [],
): Promise<OpenedAuthority> {
  const wallet = new TestWallet(registry.chain.rpcUrl, author);
  const named = { chainId: 31_337, registryAddress: registry.address, delegateAddress: platform };
  const link = authorityLink(pageFile('authority'), { ...named, authorityAddress: author, ...fields });
  const opened = await openPage(browser, link, options, async (page) => {
    for (const one of [wallet, ...more]) await one.install(page);
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
/** A registry on its own chain. */
export let registry: RegistryFixture;

/** Starts the browser and the registry for the tests of a file. @param lasting one registry for all tests */
export function setUpAuthority(lasting?: 'lasting'): void {
  useBrowser((opened) => {
    browser = opened;
  });
  (lasting ? beforeAll : beforeEach)(async () => {
    registry = await startRegistry();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  (lasting ? afterAll : afterEach)(() => registry?.stop());
}
