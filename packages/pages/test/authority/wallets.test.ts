import type { Browser } from 'playwright-core';
import { getAddress } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  author,
  other,
  platform,
  type RegistryFixture,
  startRegistry,
} from '../../../../contracts/test/chain/registry.ts';
import { openBrowser } from '../../../../test/browser/open-browser.ts';
import { openPage, pageFile } from '../open-page.ts';
import { connectAuthority, openAuthority } from './opened-authority.ts';
import { TestWallet } from './test-wallet.ts';

let browser: Browser;
let registry: RegistryFixture;
beforeAll(async () => {
  [browser, registry] = await Promise.all([openBrowser(), startRegistry()]);
});
afterAll(async () => {
  await browser?.close();
  await registry?.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

test('several wallets are listed, and asked nothing before one is chosen', async () => {
  const second = new TestWallet(registry.chain.rpcUrl, other, 'Second Wallet');
  const { page, button, wallet } = await openAuthority(browser, registry, {}, {}, [second]);
  await button('Connect Second Wallet').waitFor();
  expect([...wallet.asked, ...second.asked]).toEqual([]);
  await button('Connect Second Wallet').click();
  await page.getByText(`The link is for the authority ${author}, and this account is another.`).waitFor();
  expect(wallet.asked).toEqual([]);
  await button('Use another wallet').click();
  await button('Connect Test Wallet').click();
  await page.getByText('Nobody but you').waitFor();
});

test('a wallet that announces nothing is taken only where none does', async () => {
  const wallet = new TestWallet(registry.chain.rpcUrl, author);
  const { page } = await openPage(browser, pageFile('authority'), {}, (one) => wallet.install(one, false));
  await page.getByRole('button', { name: "Connect This browser's wallet" }).click();
  await page.getByText(author).waitFor();
  const legacy = new TestWallet(registry.chain.rpcUrl, other, 'Legacy Wallet');
  const both = await openPage(browser, pageFile('authority'), {}, async (one) => {
    await legacy.install(one, false);
    await wallet.install(one);
  });
  await both.page.waitForTimeout(500);
  expect(await both.page.getByRole('button', { name: /^Connect/ }).allTextContents()).toEqual([
    'Connect Test Wallet',
  ]);
});

test('without a wallet it says so, and shows the transactions all the same', async () => {
  const { page } = await openPage(
    browser,
    `${pageFile('authority')}#chain=31337&registry=${registry.address}&delegate=${platform}`,
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
  await page.getByText('No wallet announces itself in this browser.').waitFor();
  await page.getByText('With a multisig, a script or cast').click();
  await page.getByText('this page has not checked that a registry is at the address').waitFor();
  expect(await page.getByRole('textbox', { name: 'To delegate: Address to call' }).inputValue()).toBe(
    registry.address,
  );
  await page.getByRole('button', { name: 'Copy To delegate: Data' }).click();
  await page.getByText('Copied').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  const { client } = registry.chain;
  const hash = await client.sendTransaction({
    account: other,
    to: registry.address,
    data: copied as `0x${string}`,
  });
  await client.waitForTransactionReceipt({ hash });
  expect((await registry.view.delegations([other]))[0]).toBe(platform);
});

test('a wallet without accounts is told what to do', async () => {
  const { page, button, wallet } = await openAuthority(browser, registry);
  wallet.accounts = [];
  await button('Connect Test Wallet').click();
  await page.getByText('The wallet gives no account. Unlock it').waitFor();
  wallet.accounts = [author];
  await button('Connect Test Wallet').click();
  await page.getByText('Nobody but you').waitFor();
});

test('a connection that is declined can be tried again', async () => {
  const { page, button, wallet } = await openAuthority(browser, registry);
  wallet.declined.add('eth_requestAccounts');
  await button('Connect Test Wallet').click();
  await page.getByText('You declined it in the wallet.').waitFor();
  wallet.declined.clear();
  await button('Connect Test Wallet').click();
  await page.getByText('Nobody but you').waitFor();
});

test('a wallet on another chain is asked to switch, and nothing is read or sent before', async () => {
  const { page, button, wallet } = await openAuthority(browser, registry);
  wallet.chainId = 1;
  await button('Connect Test Wallet').click();
  await page.getByText('The wallet is on another network. The delegation is on chain 31337.').waitFor();
  expect(await button('Delegate').count()).toBe(0);
  await button('Switch to chain 31337').click();
  await page.getByText('Nobody but you').waitFor();
  expect(wallet.chainId).toBe(31_337);
});

test('a network that the wallet does not know is told', async () => {
  const { page, button, wallet } = await openAuthority(browser, registry);
  wallet.chainId = 1;
  wallet.networks.delete(31_337);
  await button('Connect Test Wallet').click();
  await button('Switch to chain 31337').click();
  await page.getByText('The wallet does not know that network. Add it in the wallet').waitFor();
});

test('another account in the wallet is another authority', async () => {
  const { page, wallet } = await connectAuthority(browser, registry);
  await registry.mine(other, 'delegate', [author]);
  await wallet.choose(other);
  await page.getByText('this account is another').waitFor();
  await page.getByText(`${author}`, { exact: true }).first().waitFor();
  await wallet.choose();
  await page.getByText('The wallet gives no account.').waitFor();
});

test('an account and a network that change in one turn are both taken', async () => {
  const { page, wallet } = await connectAuthority(browser, registry);
  await wallet.moveTo(1, [other]);
  await page.getByText('The wallet is on another network.').waitFor();
  await page.getByText('this account is another').waitFor();
  expect(await page.getByText(other, { exact: true }).count()).toBe(1);
  await wallet.moveTo(31_337, []);
  await page.getByText('The wallet gives no account.').waitFor();
});

test('an account that changes while the wallet switches its network is not forgotten', async () => {
  const { page, button, wallet } = await openAuthority(browser, registry);
  wallet.chainId = 1;
  await button('Connect Test Wallet').click();
  wallet.meanwhile = async ({ method }) => {
    if (method !== 'wallet_switchEthereumChain') return;
    await wallet.choose(other);
    await page.getByText('this account is another').waitFor();
  };
  await button('Switch to chain 31337').click();
  await page.getByText('May act for you').waitFor();
  expect(await page.getByText(other, { exact: true }).count()).toBe(1);
});

test.each([
  ['a contract that is no known registry', 'no registry that this page knows'],
  ['no contract at all', 'There is no registry at that address on this chain.'],
])('nothing is sent to %s', async (what, text) => {
  const address = getAddress(`0x${'00'.repeat(18)}c0de`);
  const code = await registry.chain.client.getCode({ address: registry.address });
  const bytecode = what.startsWith('no') ? '0x' : (code ?? '0x');
  await registry.chain.client.setCode({ address, bytecode });
  const { page, button } = await openAuthority(browser, registry, { registryAddress: address });
  await button('Connect Test Wallet').click();
  await page.getByText(text).waitFor();
  for (const name of ['Delegate', 'Sign the delegation', /^Copy/]) expect(await button(name).count()).toBe(0);
});

test('fields that are typed wrong are told beside them, and damaged links', async () => {
  const { page } = await openPage(browser, `${pageFile('authority')}#chain=x&delegate=0x12`);
  await page.getByText('The link is damaged: its delegate and chain cannot be read.').waitFor();
  await page
    .getByRole('textbox', { name: 'Registry', exact: true })
    .fill(registry.address.toUpperCase().replace('0X', '0x'));
  await page.getByText('a letter of it is wrong: its checksum does not fit').waitFor();
  await page.getByRole('textbox', { name: 'Registry', exact: true }).fill(registry.address);
  await page.getByRole('textbox', { name: 'Delegate', exact: true }).fill(registry.address);
  await page.getByText("This is the registry's address: it is not a delegate.").waitFor();
  await page.getByRole('textbox', { name: 'Chain id', exact: true }).fill('Base');
  await page.getByText('A chain id is a whole number').waitFor();
  expect(await page.getByText('its checksum does not fit').count()).toBe(0);
});
