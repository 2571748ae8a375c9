import { formatReference } from 'imprimatur-verifier';
import { getAddress, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { sendMined } from '../../../../contracts/test/chain/chain.ts';
import { author, other, platform } from '../../../../contracts/test/chain/registry.ts';
import { registry } from '../../../../contracts/test/chain/use-registry.ts';
import { attestArticle } from '../../../verifier/test/attested-article.ts';
import { axeViolations, openPage, pageFile } from '../open-page.ts';
import { browser, connectAuthority, openAuthority, setUpAuthority } from './authority-page.ts';
import { TestWallet } from './test-wallet.ts';

setUpAuthority('file');

test('several wallets are listed, and receive no request before one is chosen', async () => {
  const second = new TestWallet(registry.chain.rpcUrl, other, 'Second Wallet');
  const { page, button, wallet } = await openAuthority({}, {}, [second]);
  await button('Connect Second Wallet').waitFor();
  expect([...wallet.requests, ...second.requests]).toEqual([]);
  await button('Connect Second Wallet').click();
  await page.getByText(`The link is for the authority ${author}, but this is a different account.`).waitFor();
  expect(wallet.requests).toEqual([]);
  await button('Use another wallet').click();
  await button('Connect Test Wallet').click();
  await page.getByText('Only you').waitFor();
});

test('window.ethereum is used only if no wallet announces itself', async () => {
  const wallet = new TestWallet(registry.chain.rpcUrl, author);
  const { page } = await openPage(browser, pageFile('authority'), {}, (page) => wallet.install(page, false));
  await page.getByRole('button', { name: "Connect This browser's wallet" }).click();
  await page.getByText(author).waitFor();
  const legacy = new TestWallet(registry.chain.rpcUrl, other, 'Legacy Wallet');
  const both = await openPage(browser, pageFile('authority'), {}, async (page) => {
    await page.clock.install();
    await legacy.install(page, false);
    await wallet.install(page);
  });
  await both.page.getByRole('button', { name: 'Connect Test Wallet' }).waitFor();
  // More time than the page gives wallets to announce themselves.
  await both.page.clock.runFor(10_000);
  expect(await both.page.getByRole('button', { name: /^Connect/ }).allTextContents()).toEqual([
    'Connect Test Wallet',
  ]);
});

test('without a wallet, the page reports that none was found and shows the transactions', async () => {
  const { page } = await openPage(
    browser,
    `${pageFile('authority')}#chain=31337&registry=${registry.address}&delegate=${platform}`,
    {},
    // All pages of a browser share its clipboard, and other tests use it at the same time.
    (page) =>
      page.addInitScript('navigator.clipboard.writeText = async (text) => void (window.copied = text)'),
  );
  await page.getByText('No wallet was found in this browser.').waitFor();
  await page.getByText('With a multisig, a script or cast').click();
  await page.getByText('this page has not checked the registry').waitFor();
  expect(await page.getByRole('textbox', { name: 'To delegate: Address to call' }).inputValue()).toBe(
    registry.address,
  );
  await page.getByRole('button', { name: 'Copy To delegate: Data' }).click();
  await page.getByText('Copied').waitFor();
  const copied = String(await page.evaluate('window.copied'));
  await sendMined(registry.chain, { account: other, to: registry.address, data: copied as Hex });
  expect((await registry.view.delegations([other]))[0]).toBe(platform);
});

test.each([
  [
    'without accounts',
    'The wallet has no account for this page. Unlock it',
    (wallet: TestWallet) => Object.assign(wallet, { accounts: [] }),
  ],
  [
    'whose user declines',
    'You declined in the wallet.',
    (wallet: TestWallet) => wallet.declined.add('eth_requestAccounts'),
  ],
])('a wallet %s is reported and can be connected later', async (_, text, change) => {
  const { page, button, wallet } = await openAuthority();
  change(wallet);
  await button('Connect Test Wallet').click();
  await page.getByText(text).waitFor();
  wallet.accounts = [author];
  wallet.declined.clear();
  await button('Connect Test Wallet').click();
  await page.getByText('Only you').waitFor();
});

test('a wallet on another chain is asked to switch, and nothing is read or sent before', async () => {
  const { page, button, wallet } = await openAuthority();
  wallet.chainId = 1;
  wallet.networks.delete(31_337);
  await button('Connect Test Wallet').click();
  await page.getByText('The wallet is on another network. The delegation is on chain 31337.').waitFor();
  expect(wallet.requests.filter(({ method }) => /^eth_(call|get|send)/.test(method))).toEqual([]);
  await button('Switch to chain 31337').click();
  await page.getByText('The wallet does not know that network. Add it in the wallet').waitFor();
  wallet.networks.add(31_337);
  await button('Switch to chain 31337').click();
  await page.getByText('Only you').waitFor();
  expect(wallet.chainId).toBe(31_337);
});

test('an account and a network that change at the same time are both updated', async () => {
  const { page, wallet } = await connectAuthority();
  await wallet.selectNetwork(1, [other]);
  await page.getByText('The wallet is on another network.').waitFor();
  await page.getByText('this is a different account').waitFor();
  expect(await page.getByText(other, { exact: true }).count()).toBe(1);
  await wallet.selectNetwork(31_337, []);
  await page.getByText('The wallet has no account for this page.').waitFor();
});

test('an account that changes while the network switches is not lost', async () => {
  const { page, button, wallet } = await openAuthority();
  wallet.chainId = 1;
  await button('Connect Test Wallet').click();
  wallet.beforeAnswer = async ({ method }) => {
    if (method !== 'wallet_switchEthereumChain') return;
    await wallet.selectAccounts(other);
    await page.getByText('this is a different account').waitFor();
  };
  await button('Switch to chain 31337').click();
  await page.getByText('May act for you').waitFor();
  expect(await page.getByText(other, { exact: true }).count()).toBe(1);
});

test.each([
  ['a contract that is not a known registry', 'not a registry that this page knows'],
  ['no contract at all', 'There is no registry at that address on this chain.'],
])('nothing is sent to %s', async (kind, text) => {
  const address = getAddress(`0x${'00'.repeat(18)}c0de`);
  const code = await registry.chain.client.getCode({ address: registry.address });
  const bytecode = kind.startsWith('no') ? '0x' : (code ?? '0x');
  await registry.chain.client.setCode({ address, bytecode });
  const { page, button } = await openAuthority({ registryAddress: address });
  await button('Connect Test Wallet').click();
  await page.getByText(text).waitFor();
  for (const name of ['Delegate', 'Sign the delegation', /^Copy/]) expect(await button(name).count()).toBe(0);
});

test('invalid fields and damaged links show errors', async () => {
  const { page } = await openPage(browser, `${pageFile('authority')}#chain=x&delegate=0x12`);
  const fill = (name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text);
  await page.getByText('The link is damaged and has no valid delegate and chain.').waitFor();
  await fill('Registry', registry.address.toUpperCase().replace('0X', '0x'));
  await page.getByText('its checksum is wrong').waitFor();
  await fill('Registry', registry.address);
  await fill('Delegate', registry.address);
  await page.getByText("This is the registry's address, not a delegate's.").waitFor();
  await fill('Chain ID', 'Base');
  await page.getByText('A chain ID is a whole number').waitFor();
  expect(await page.getByText('its checksum is wrong').count()).toBe(0);
});

/** One width for each color scheme, because they do not affect each other. */
const modes = [
  { colorScheme: 'light', viewport: { width: 375, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 900, height: 800 } },
] as const;

test.each(modes)(
  'axe finds no violation in any part of the page, and nothing overflows: $colorScheme, $viewport.width',
  async (options) => {
    await registry.mine(author, 'delegate', [other]);
    const text = `It stays in ${options.colorScheme}.`;
    const reference = formatReference((await attestArticle(registry, author, text)).reference);
    const { page, button, wallet } = await connectAuthority({ reference }, options);
    for (const part of ['Sign instead, without paying gas', 'With a multisig, a script or cast'])
      await page.getByText(part).click();
    await button('Sign the delegation').click();
    await page.getByText('Done. The wallet signed.').waitFor();
    wallet.declined.add('eth_sendTransaction');
    await button('Change the delegation').click();
    await page.getByText('Not done. You declined').waitFor();
    await button('Look up').click();
    await page.getByText('This cannot be undone.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  },
);

test.each(modes)('axe finds no violation in warnings: $colorScheme, $viewport.width', async (options) => {
  const { page, button, wallet } = await openAuthority({}, options);
  Object.assign(wallet, { chainId: 1, accounts: [other] });
  await button('Connect Test Wallet').click();
  await page.getByText('The wallet is on another network.').waitFor();
  await page.getByRole('textbox', { name: 'Delegate', exact: true }).fill('0x12');
  await page.getByText('its checksum is wrong').waitFor();
  expect(await axeViolations(page)).toEqual([]);
});

test('the page can be used with only a keyboard', async () => {
  const { page, button } = await openAuthority();
  await button('Connect Test Wallet').focus();
  await page.keyboard.press('Enter');
  await page.getByText('May act for you').waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Your wallet');
  const pressed: string[] = [];
  for (let step = 0; step < 2; step++) {
    await page.keyboard.press('Tab');
    pressed.push(String(await page.evaluate('document.activeElement.textContent')));
  }
  expect(pressed).toEqual(['Use another wallet', 'Change the delegation']);
  await page.keyboard.press('Enter');
  await page.getByText('Done.').waitFor();
});
