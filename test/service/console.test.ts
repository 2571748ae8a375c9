import type { Browser } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { createApiKey } from '../../functions/domain/organization/api-keys.ts';
import { ConsolePage } from '../../packages/pages/test/console/console-page.ts';
import { fileOf, textFile } from '../../packages/pages/test/reader/attested.ts';
import { ReaderPage } from '../../packages/pages/test/reader/reader-page.ts';
import { useBrowser } from '../browser/use-browser.ts';
import { records } from './stack/aws.ts';
import { article, newPublisher } from './stack/publisher.ts';
import { pageUrls, stack } from './stack/running-stack.ts';

let browser: Browser;
let tab: ConsolePage;
useBrowser((opened) => {
  browser = opened;
});
afterEach(() => tab?.close());

async function signIn(apiKey: string): Promise<void> {
  tab = await ConsolePage.open(browser, pageUrls.console);
  expect(await tab.field('URL of the service').inputValue()).toBe(stack.apiUrl);
  await tab.signIn(apiKey);
  await tab.page.getByRole('heading', { name: 'Your attestations' }).waitFor();
}

async function attest(text: string, url: string): Promise<void> {
  await tab.field('Text').fill(text);
  await tab.field('URL of the article (optional)').fill(url);
  await tab.clickTwice('Attest this text');
}

const confirmed = () => tab.page.getByRole('heading', { name: 'Attestation Confirmed' }).waitFor();

/** Opens the page for readers through the console's link, and checks the text on the local chain. */
async function checkAsReader(input: Parameters<ReaderPage['check']>[0]): Promise<string> {
  const link = await tab.page.getByRole('link', { name: 'Open the page for readers' }).getAttribute('href');
  const reader = await ReaderPage.open(browser, {}, link?.split('#')[1]);
  const { title } = await reader.check({ ...input, rpc: stack.rpcUrl });
  await reader.close();
  return title;
}

test('a publisher attests, corrects and quotes a text, and readers verify it', async () => {
  const { apiKey } = await newPublisher();
  const [old, corrected] = [
    article('The bridge closes on Monday.'),
    article('The bridge closes on Tuesday.'),
  ];
  const url = `https://example.org/${crypto.randomUUID()}`;
  await signIn(apiKey);
  await tab.page.getByText('There are none.').waitFor();

  await tab.openForm();
  await attest(old, url);
  await confirmed();
  expect(await checkAsReader({ files: [textFile(old)] })).toMatch(/^Unchanged since/);

  await tab.page.getByRole('link', { name: 'Correct this text' }).click();
  await tab.field('Text').fill(corrected);
  await tab.page.getByRole('insertion').filter({ hasText: 'Tuesday' }).waitFor();
  await tab.press('Attest and link as the correction');
  await confirmed();
  await tab.field('Passage').fill('closes on Tuesday');
  await tab.button('Make the quote proof').click();
  const quote = await tab.field('Quote proof').inputValue();
  expect(await checkAsReader({ files: [fileOf('quote.json', quote)], reference: '' })).toMatch(/^Stated on/);

  await tab.page.getByRole('link', { name: 'All attestations' }).click();
  await tab.page.getByText('corrected', { exact: false }).first().waitFor();
  await tab.page
    .getByRole('link', { name: url.replace('https://', '') })
    .last()
    .click();
  await tab.page.getByText('Transaction 0x').first().waitFor();
  expect(await checkAsReader({ files: [textFile(old)] })).toMatch(/^Corrected/);
});

test('the list can be filtered, and a text with the URL of an older one can be linked as its correction', async () => {
  const { apiKey, api } = await newPublisher();
  const [old, newer] = [article('An older text.'), article('A newer text.')];
  const url = `https://example.org/${crypto.randomUUID()}`;
  const { body } = await api.create({ content: old, url });
  const { id } = await api.until(body.id, ({ status }) => status === 'confirmed');
  await signIn(apiKey);

  await tab.page.getByText('Filter', { exact: true }).click();
  await tab.field('State').selectOption('Failed');
  await tab.button('Apply').click();
  await tab.page.getByText('There are none.').waitFor();
  await tab.button('Clear').click();

  await tab.openForm();
  await tab.field('URL of the article (optional)').fill(url);
  await tab.field('Link it to my text as its correction').check();
  await attest(newer, url);
  await tab.page.getByRole('heading', { name: /^Attestation/ }).waitFor();
  await api.until(id, ({ childLinkTxHash }) => childLinkTxHash !== null);
});

test('with a read-only key, the page shows attestations, and keeps a text that it may not attest', async () => {
  const { organizationId } = await newPublisher();
  const { key } = await createApiKey(records, {
    organizationId,
    mode: 'test',
    now: new Date(),
    readOnly: true,
  });
  await signIn(key);
  await tab.openForm();
  await tab.field('Text').fill('Not with this key.');
  await tab.press('Attest this text');
  expect(await tab.alert()).toContain('This API key is read-only.');
  expect(await tab.field('Text').inputValue()).toBe('Not with this key.');
});

test('a page of another origin cannot use the service', async () => {
  const { apiKey } = await newPublisher();
  tab = await ConsolePage.open(browser, pageUrls.console.replace('localhost', '127.0.0.1'));
  await tab.signIn(apiKey, stack.apiUrl);
  expect(await tab.alert()).toContain('add the page’s origin (http://127.0.0.1:');
});
