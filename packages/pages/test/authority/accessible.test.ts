import { formatReference } from 'imprimatur-verifier';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  author,
  other,
  type RegistryFixture,
  startRegistry,
} from '../../../../contracts/test/chain/registry.ts';
import { openBrowser } from '../../../../test/browser/open-browser.ts';
import { attestArticle } from '../../../verifier/test/attested-article.ts';
import { axeViolations } from '../axe-violations.ts';
import { connectAuthority, openAuthority } from './opened-authority.ts';

let browser: Browser;
let registry: RegistryFixture;
let reference: string;
beforeAll(async () => {
  [browser, registry] = await Promise.all([openBrowser(), startRegistry()]);
  await registry.mine(author, 'delegate', [other]);
  reference = formatReference((await attestArticle(registry, author, 'It stands.')).reference);
});
afterAll(async () => {
  await browser?.close();
  await registry?.stop();
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
});

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [375, 900].map((width) => ({ colorScheme, viewport: { width, height: 800 } })),
);

test.each(looks)(
  'axe finds nothing wrong with any part of the page, and nothing is cut off: $colorScheme, $viewport.width',
  async (options) => {
    const { page, button, wallet } = await connectAuthority(browser, registry, { reference }, options);
    for (const part of ['Sign instead, without paying gas', 'With a multisig, a script or cast'])
      await page.getByText(part).click();
    await button('Sign the delegation').click();
    await page.getByText('Done. The wallet signed.').waitFor();
    wallet.declined.add('eth_sendTransaction');
    await button('Change the delegation').click();
    await page.getByText('Not done. You declined it').waitFor();
    await button('Look it up').click();
    await page.getByText('This cannot be undone.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  },
);

test.each(looks)('nor with its warnings: $colorScheme, $viewport.width', async (options) => {
  const { page, button, wallet } = await openAuthority(browser, registry, {}, options);
  Object.assign(wallet, { chainId: 1, accounts: [other] });
  await button('Connect Test Wallet').click();
  await page.getByText('The wallet is on another network.').waitFor();
  await page.getByRole('textbox', { name: 'Delegate', exact: true }).fill('0x12');
  await page.getByText('its checksum does not fit').waitFor();
  expect(await axeViolations(page)).toEqual([]);
});

test('it is worked by keyboard alone, from the wallet on', async () => {
  const { page, button } = await openAuthority(browser, registry);
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
