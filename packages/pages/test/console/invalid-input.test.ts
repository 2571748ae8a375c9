import type { Browser, Request } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../../../../test/browser/use-browser.ts';
import { cidOf } from '../../../verifier/test/attested-article.ts';
import { axeViolations } from '../open-page.ts';
import { fileOf } from '../reader/attested.ts';
import { ConsolePage } from './console-page.ts';
import { attestation, chain, type FakeAnswer, FakeService, fakeUrl } from './fake-service.ts';

let browser: Browser;
let service: FakeService;
let tab: ConsolePage;

useBrowser((opened) => {
  browser = opened;
});

beforeEach(async () => {
  service = new FakeService()
    .answer('GET chains', [200, { chains: [chain] }])
    .answer('GET attestations', [200, { attestations: [attestation] }]);
  tab = await ConsolePage.open(browser, undefined, {}, (page) => service.install(page));
});

afterEach(() => tab?.close());

async function openForm(): Promise<void> {
  await tab.signIn('imp_test_1', fakeUrl);
  await tab.openForm();
}

const attests = () => service.received.filter((name) => name === 'POST attestations').length;

/** Submits a text, and expects an error that leaves the form unchanged. */
async function submitAndFail(answers: readonly FakeAnswer[]): Promise<string> {
  service.answer('POST attestations', ...answers);
  await openForm();
  await tab.field('Text').fill('The bridge is closed.');
  await tab.field('URL of the article (optional)').fill('https://example.org/bridge');
  await tab.press('Attest this text');
  const message = await tab.alert();
  expect(await tab.field('Text').inputValue()).toBe('The bridge is closed.');
  expect(await tab.field('URL of the article (optional)').inputValue()).toBe('https://example.org/bridge');
  return message;
}

test.each<[name: string, answer: FakeAnswer, sentence: string]>([
  ['an expired key', [401, { error: 'unauthorized' }], 'does not accept the API key'],
  ['a read-only key', [403, { error: 'this API key may only read' }], 'This API key is read-only.'],
  ['a limit', [429, { error: 'rate limit exceeded' }, { 'retry-after': '3600' }], 'Try again in 60 min.'],
  [
    'an internal error',
    [500, { error: 'internal error' }, { 'x-request-id': 'r-1', 'retry-after': '90' }],
    'give the operator this request ID: r-1.',
  ],
  ['no answer', 'hang up', 'The service does not answer.'],
  [
    'an inactive delegation',
    [409, { error: 'no active delegation', chainId: 8453 }],
    'Your authority does not let the service publish on Base (chain 8453).',
  ],
  [
    'an invalid URL',
    [400, { error: 'invalid request', issues: [{ path: ['url'], message: 'must be a URL' }] }],
    'URL: must be a URL.',
  ],
  ['the answer of another server', [200, { hello: 'world' }], 'Another server answers at this URL'],
  [
    'an attestation of another text',
    [202, { ...attestation, status: 'pending' }],
    'The service and this page computed different CIDs',
  ],
])('%s is explained, and nothing that was typed is lost', async (_, answer, sentence) => {
  expect(await submitAndFail([answer])).toContain(sentence);
});

test('after an error, the form keeps what was typed while the publisher changes the key', async () => {
  await submitAndFail([
    [401, { error: 'unauthorized' }],
    [429, { error: 'rate limit exceeded' }, { 'retry-after': '3600' }],
  ]);
  await tab.button('Change key').click();
  await tab.signInAccepted('imp_test_2');
  await tab.press('Attest this text');
  await tab.page.getByText('Try again in 60 min.').waitFor();
  expect(attests()).toBe(2);
});

test('the sign-in form explains a wrong key, and keeps the URL', async () => {
  service.answer('GET chains', [401, { error: 'unauthorized' }]);
  await tab.signIn('imp_test_wrong', fakeUrl);
  expect(await tab.alert()).toContain('does not accept this API key');
  expect(await tab.field('URL of the service').inputValue()).toBe(fakeUrl);
});

test('the sign-in form refuses a URL over which others could read the key', async () => {
  await tab.signIn('imp_test_1', 'http://service.example');
  expect(await tab.alert()).toContain('use https');
  expect(service.received).toEqual([]);
});

test('the key is in no URL, and in no storage unless the person wants it', async () => {
  await openForm();
  const stored = () => tab.page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(await stored()).not.toContain('imp_test_1');
  expect(tab.opened.requested.join(' ')).not.toContain('imp_test_1');
  await tab.button('Change key').click();
  await tab.field('Remember it until I close this tab').check();
  await tab.signInAccepted('imp_test_1');
  const [local, session] = JSON.parse(String(await stored()));
  expect(JSON.stringify(local)).not.toContain('imp_test_1');
  expect(JSON.stringify(session)).toContain('imp_test_1');
});

test('a text of 1 MiB is accepted, and one byte more is refused before it is sent', async () => {
  service.answer('POST attestations', [429, { error: 'rate limit exceeded' }, { 'retry-after': '3600' }]);
  await openForm();
  await tab.field('Text').fill('a'.repeat(1_048_577));
  await tab.press('Attest this text');
  expect(await tab.alert()).toContain('1,048,577 bytes, and the limit is 1,048,576');
  expect(attests()).toBe(0);
  await tab.field('Text').fill('a'.repeat(1_048_576));
  await tab.press('Attest this text');
  await expect.poll(attests).toBe(1);
});

test('a lone surrogate is refused, and the error names its line', async () => {
  await openForm();
  // Playwright's `fill` would replace the surrogate.
  await tab.field('Text').evaluate((element) => {
    Object.assign(element, { value: 'one\ntwo \ud800 three' });
    element.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await tab.press('Attest this text');
  expect(await tab.alert()).toContain('Line 2 contains half a character');
  expect(attests()).toBe(0);
});

test('a file that is not UTF-8 is refused, and the typed text stays', async () => {
  await openForm();
  await tab.field('Text').fill('Typed before.');
  await tab.field('Choose a file').setInputFiles(fileOf('latin.txt', Buffer.from([0x66, 0xfc, 0x72])));
  expect(await tab.alert()).toContain('latin.txt is not UTF-8');
  expect(await tab.field('Text').inputValue()).toBe('Typed before.');
});

test('a text file is attested unchanged; from a web page, only the text is attested', async () => {
  await openForm();
  const file = tab.field('Choose a file');
  await file.setInputFiles(fileOf('a.md', '\ufeff# Title  \r\n\tx\u200b'));
  const marked = tab.field('Every character');
  await expect.poll(() => marked.inputValue()).toBe('[U+FEFF]# Title··[CR]¶\n[TAB]x[U+200B]');
  expect(await tab.page.getByText('19 bytes of UTF-8').isVisible()).toBe(true);
  await file.setInputFiles(fileOf('a.html', '<!doctype html><title>T</title><p>One.</p><p>Two.</p>'));
  await expect.poll(() => marked.inputValue()).toContain('One.');
  expect(await marked.inputValue()).not.toContain('<p>');
});

test('a double click sends the text once, and the page reports that the service accepted it', async () => {
  const { cid: contentCid } = await cidOf('The bridge is closed.');
  const pending = { ...attestation, contentCid, status: 'pending', attestationIndex: undefined };
  service
    .answer('POST attestations', [202, pending])
    .answer(`GET attestations/${attestation.id}`, [200, pending]);
  await openForm();
  await tab.field('Text').fill('The bridge is closed.');
  await tab.clickTwice('Attest this text');
  await tab.page.getByText('The service accepted the text.').waitFor();
  expect(attests()).toBe(1);
});

test('a hostile URL is shown as text and never becomes a link that runs a script', async () => {
  const hostile = {
    ...attestation,
    url: 'javascript:window.ran=1//\u202egpj.\u2066<script>window.ran=1</script>',
  };
  service
    .answer('GET attestations', [200, { attestations: [hostile] }])
    .answer(`GET attestations/${attestation.id}`, [200, hostile]);
  await tab.signIn('imp_test_1', fakeUrl);
  const row = tab.page.getByRole('link', { name: /javascript:window/ });
  expect(await row.getAttribute('href')).toBe(`#${attestation.id}`);
  await row.click();
  await tab.page.getByRole('heading', { name: /^Attestation/ }).waitFor();
  expect(await tab.page.locator('a[href^="javascript:"]').count()).toBe(0);
  expect(await tab.page.evaluate('window.ran')).toBeUndefined();
});

test('a missing delegation has a banner with a link to the page for authorities', async () => {
  service.answer('GET chains', [200, { chains: [{ ...chain, delegationActive: false }] }]);
  await tab.signIn('imp_test_1', fakeUrl);
  const link = tab.page.getByRole('link', { name: 'Delegate to the service' });
  const href = (await link.getAttribute('href')) ?? '';
  expect(href).toMatch(/authority\.html#/);
  expect(href).toContain(chain.delegateAddress);
});

test('a failed attestation says why and what to do', async () => {
  const failed = {
    ...attestation,
    status: 'failed',
    error: 'the registry refused',
    attestationIndex: undefined,
  };
  service.answer(`GET attestations/${attestation.id}`, [200, failed]);
  await tab.signIn('imp_test_1', fakeUrl);
  await tab.page.getByRole('link', { name: /bafkrei/ }).click();
  expect(await tab.page.getByText('The attestation failed and is not on the chain').textContent()).toContain(
    'the registry refused. You can attest the same text again.',
  );
});

test('an answer that arrives after the person left the form does not change a later text or the view', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await openForm();
  await tab.page.route(`${fakeUrl}/v1/attestations`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await answered;
    await route.fallback();
  });
  service.answer('POST attestations', [500, { error: 'internal error' }, { 'retry-after': '90' }]);
  await tab.field('Text').fill('Sent.');
  await tab.press('Attest this text');
  await tab.press('Back');
  await tab.openForm();
  await tab.field('Text').fill('Typed meanwhile.');
  // The button says that it is disabled, but Enter still submits.
  await tab.field('URL of the article (optional)').press('Enter');
  answer();
  expect(await tab.alert()).toContain('The service has a problem');
  expect(await tab.field('Text').inputValue()).toBe('Typed meanwhile.');
  expect(attests()).toBe(1);
});

test('each correction has its own draft, with the URL of its older text', async () => {
  const [first, second] = ['1', '2'].map((digit) => ({
    ...{ ...attestation, id: attestation.id.replace(/1$/, digit), url: `https://example.org/${digit}` },
  }));
  service.answer('GET attestations', [200, { attestations: [first, second] }]);
  for (const one of [first, second]) service.answer(`GET attestations/${one?.id}`, [200, one ?? {}]);
  await tab.signIn('imp_test_1', fakeUrl);
  const correct = async (digit: string) => {
    await tab.page.getByRole('link', { name: `example.org/${digit}` }).click();
    await tab.page.getByRole('link', { name: 'Correct this text' }).click();
    const url = tab.field('URL of the article (optional)');
    await expect.poll(() => url.inputValue()).toBe(`https://example.org/${digit}`);
  };
  await correct('1');
  await tab.field('Text').fill('Of the first.');
  await tab.press('Back');
  await tab.page.getByRole('link', { name: 'All attestations' }).click();
  await correct('2');
  expect(await tab.field('Text').inputValue()).toBe('');
});

test('`Undo` restores the typed text that a chosen file replaced', async () => {
  await openForm();
  await tab.field('Text').fill('Typed before.');
  await tab.field('Choose a file').setInputFiles(fileOf('a.txt', 'Of the file.'));
  await tab.button('Undo').click();
  expect(await tab.field('Text').inputValue()).toBe('Typed before.');
});

test('a passage that cannot be quoted stays in the form, also with another key', async () => {
  service
    .answer(`GET attestations/${attestation.id}`, [200, attestation])
    .answer(`POST attestations/${attestation.id}/quotes`, [409, { error: 'the content was erased' }]);
  await tab.signIn('imp_test_1', fakeUrl);
  await tab.page.getByRole('link', { name: /bafkrei/ }).click();
  await tab.field('Passage').fill('The bridge');
  await tab.button('Make the quote proof').click();
  expect(await tab.alert()).toContain('The content was erased.');
  await tab.button('Change key').click();
  await tab.signInAccepted('imp_test_2');
  expect(await tab.field('Passage').inputValue()).toBe('The bridge');
});

test('a person who signs out while the key changes stays signed out', async () => {
  await tab.signIn('imp_test_1', fakeUrl);
  await tab.button('Change key').click();
  // The page also repeats the request of the first key.
  const isWithNewKey = (request: Request) => request.headers().authorization?.endsWith('imp_test_2') ?? false;
  await tab.page.route(`${fakeUrl}/v1/chains`, async (route) => {
    if (isWithNewKey(route.request())) await tab.button('Sign out').click();
    await route.fallback();
  });
  await tab.field('Remember it until I close this tab').check();
  const answered = tab.page.waitForResponse((response) => isWithNewKey(response.request()));
  await tab.signIn('imp_test_2');
  await answered;
  expect(await tab.page.evaluate('sessionStorage.length')).toBe(0);
});

test('a new view has the focus and its title', async () => {
  await openForm();
  const focused = () => tab.page.evaluate("document.activeElement.querySelector('h2')?.textContent");
  // The page sets both after it shows the view.
  await expect.poll(focused).toBe('Attest a text');
  await expect.poll(() => tab.page.title()).toBe('Attest a text – Imprimatur');
  await tab.page.getByRole('link', { name: 'Back' }).click();
  await expect.poll(focused).toBe('Your attestations');
});

test('a file that is dropped on the list filters it', async () => {
  await tab.signIn('imp_test_1', fakeUrl);
  await tab.page.getByRole('link', { name: /bafkrei/ }).waitFor();
  await tab.page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['The bridge is closed.'], 'a.txt'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  });
  await expect.poll(() => tab.field('CID').inputValue()).toMatch(/^bafkrei/);
  const query = await tab.field('CID').inputValue();
  await expect.poll(() => tab.opened.requested.some((url) => url.includes(`contentCid=${query}`))).toBe(true);
});

test.each([
  [{ childLinkTxHash: '0x1' }, 'corrected'],
  [{ childLinkTxHash: null }, 'correction pending'],
  [{ childLinkTxHash: null, childLinkError: 'fees; post the link again' }, 'link to the correction failed'],
])('the list shows the link %j as "%s"', async (link, text) => {
  const linked = { ...attestation, childAttestationId: crypto.randomUUID(), ...link };
  service.answer('GET attestations', [200, { attestations: [linked] }]);
  await tab.signIn('imp_test_1', fakeUrl);
  await tab.page.getByText(`, ${text}`).waitFor();
});

test('the list continues after an outage', async () => {
  // The page tries again only after an hour.
  service.answer('GET attestations', [503, { error: 'busy; try again' }, { 'retry-after': '3600' }]);
  await tab.signIn('imp_test_1', fakeUrl);
  expect(await tab.alert()).toContain('The service has a problem');
  service.answer('GET attestations', [200, { attestations: [attestation] }]);
  await tab.button('Try again').click();
  await tab.page.getByRole('link', { name: /bafkrei/ }).waitFor();
});

test.each(['light', 'dark'] as const)('the views have no axe violations in %s', async (colorScheme) => {
  service.answer(`GET attestations/${attestation.id}`, [200, attestation]);
  await tab.page.emulateMedia({ colorScheme });
  await tab.signIn('imp_test_1', fakeUrl);
  await tab.page.getByText('Filter', { exact: true }).click();
  expect(await axeViolations(tab.page)).toEqual([]);
  await tab.page.getByRole('link', { name: /bafkrei/ }).click();
  await tab.page.getByRole('heading', { name: 'Quote it' }).waitFor();
  expect(await axeViolations(tab.page)).toEqual([]);
  await tab.page.getByRole('link', { name: 'Correct this text' }).click();
  await tab.field('Text').fill('A correction.\u200b');
  await tab.field('Every character').waitFor();
  expect(await axeViolations(tab.page)).toEqual([]);
});
