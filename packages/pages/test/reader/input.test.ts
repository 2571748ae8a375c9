import { formatReference } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { rendered } from '../open-page.ts';
import { fileOf, pageFile, quoteFile, textFile, texts } from './attested.ts';
import { attested, browser, ReaderPage, reader, setUpReader } from './reader-page.ts';

setUpReader();

/** Drops files on the page. @param files JavaScript expression for the files */
const drop = (files: string) =>
  reader.page.evaluate(`{
    const dataTransfer = new DataTransfer();
    for (const file of ${files}) dataTransfer.items.add(file);
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }`);

/** Pastes with the keyboard. */
async function paste(text: string): Promise<void> {
  const { page } = reader;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.getByLabel('Text', { exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+V');
}

const textArea = () => reader.page.getByLabel('Text', { exact: true });

test('a pasted text keeps its line endings until it is edited', async () => {
  await paste(texts.unchanged.replaceAll('\n', '\r\n'));
  await reader.page.getByText('has CR in its line endings').waitFor();
  const { title } = await reader.check({ reference: attested.unchanged, rpc: attested.rpcUrl });
  expect(title).toContain('Same words, different line endings');
  await reader.page.getByRole('button', { name: 'Change the input' }).click();
  await textArea().press('End');
  await textArea().pressSequentially('x');
  await textArea().press('Backspace');
  expect((await reader.check()).title).toContain('Unchanged since');
});

test('a reference that is pasted as a text becomes the reference', async () => {
  await paste(` ${formatReference(attested.unchanged)}\n`);
  await expect.poll(() => textArea().inputValue()).toBe('');
  expect(await reader.page.getByLabel('Reference').inputValue()).toBe(formatReference(attested.unchanged));
});

test('a pasted quote proof is checked as a quote proof if the reader agrees', async () => {
  const { buffer } = quoteFile(attested.unchanged, texts.unchanged, 'Engineers found cracks');
  await paste(buffer.toString());
  await reader.page.getByRole('button', { name: 'Check it as one' }).click();
  expect((await reader.check({ rpc: attested.rpcUrl })).title).toContain('Stated on');
});

test('files can be dropped anywhere, several at once', async () => {
  const files = [textFile(texts.unchanged), pageFile(attested.unchanged)];
  const given = files.map(({ name, buffer }) => ({ name, content: buffer.toString() }));
  await drop(`${JSON.stringify(given)}.map(({ name, content }) => new File([content], name))`);
  await reader.page.getByRole('button', { name: 'Remove saved.html' }).waitFor();
  expect((await reader.check({ rpc: attested.rpcUrl })).title).toContain('Its text is unchanged since');
});

test('a file that is larger than any attested text is not read', async () => {
  await drop("[new File([new Uint8Array(65 * 1024 * 1024)], 'film.mp4')]");
  await reader.page.getByText('film.mp4 is larger than 64 MiB').waitFor();
});

test('the type of a file follows from its name, and the reader can change it', async () => {
  const file = fileOf('article.html', texts.unchanged);
  const input = { files: [file], reference: attested.unchanged, rpc: attested.rpcUrl };
  expect((await reader.check(input)).summary).toContain('names no attestation');
  await reader.page.getByLabel('Type of article.html').selectOption('text');
  expect((await reader.check()).title).toContain('Unchanged since');
});

test('the reader chooses one of several attestations that a page names', async () => {
  const { corrected, unchanged } = attested;
  await reader.check({
    files: [pageFile(corrected, unchanged)],
    text: texts.unchanged,
    rpc: attested.rpcUrl,
  });
  await reader.page.getByRole('button', { name: formatReference(unchanged) }).click();
  expect((await reader.check()).title).toContain('Its text is unchanged since');
});

test('a link fills in its reference, and sends no request before the reader starts the check', async () => {
  const reference = formatReference(attested.unchanged);
  const linked = await ReaderPage.open(browser, {}, encodeURIComponent(reference));
  expect(await linked.page.getByLabel('Reference').inputValue()).toBe(reference);
  expect(linked.opened.requested).toEqual([]);
  expect((await linked.check({ text: texts.unchanged, rpc: attested.rpcUrl })).title).toContain('Unchanged');
  await linked.close();
});

test.each(['%', '<img src=x onerror=alert(1)>'])('a link with %s shows an error', async (link) => {
  const linked = await ReaderPage.open(browser, {}, link);
  expect(await linked.page.getByRole('alert').textContent()).toContain('The reference is invalid');
  expect(linked.opened.requested).toEqual([]);
  await linked.close();
});

test('RPC URLs are remembered only if the reader requests it', async () => {
  const input = { reference: attested.unchanged, rpc: attested.rpcUrl };
  await reader.check(input);
  await reader.page.reload();
  expect(await reader.page.getByLabel('Public RPC providers').isChecked()).toBe(true);
  await reader.enter(input);
  await reader.page.getByLabel('Remember them').check();
  await reader.check();
  await reader.page.reload();
  expect(await reader.page.getByLabel('RPC URLs').inputValue()).toBe(attested.rpcUrl);
  await reader.page.getByLabel('Remember them').uncheck();
  await reader.check(input);
  await reader.page.reload();
  expect(await reader.page.getByLabel('Public RPC providers').isChecked()).toBe(true);
});

test('the page works without storage', async () => {
  const { page } = reader;
  await page.addInitScript(
    "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })",
  );
  await page.reload();
  await reader.enter({ text: texts.unchanged, reference: attested.unchanged, rpc: attested.rpcUrl });
  await page.getByLabel('Remember them').check();
  expect((await reader.check()).title).toContain('Unchanged since');
});

test('the page works with only a keyboard, and the verdict is announced and focused', async () => {
  const { page } = reader;
  await reader.enter({ text: texts.unchanged, rpc: attested.rpcUrl });
  await page.getByLabel('Reference').focus();
  await page.keyboard.type(formatReference(attested.unchanged));
  await page.keyboard.press('Enter');
  // The focus moves in an effect after painting.
  await page.locator('#verdict:focus').waitFor();
  expect(await page.getByRole('status').textContent()).toMatch(
    /^Unchanged since .*Signer unknown\. Byte for byte/,
  );
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Check', exact: true }).waitFor();
});

test('the form fits a phone, and a printed page has no buttons', async () => {
  const { page } = reader;
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
  await reader.check({ text: texts.corrected, reference: attested.corrected, rpc: attested.rpcUrl });
  // The page scrolls, and then moves the focus.
  await page.locator('#verdict:focus').waitFor();
  expect(await page.evaluate('window.scrollY')).toBe(0);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(await page.locator('#verdict').isVisible()).toBe(true);
});

test('a stopped check shows no result', async () => {
  const { page } = reader;
  let [answered, failed] = [0, 0];
  page.on('requestfinished', () => void answered++);
  page.on('requestfailed', () => void failed++);
  const { title } = await reader.check({ reference: attested.unchanged, rpc: attested.rpcUrl });
  expect(title).toContain('no text was compared');
  const { requested } = reader.opened;
  await expect.poll(() => answered + failed).toBe(requested.length);
  const answersOfCheck = answered;
  expect(answersOfCheck).toBeGreaterThan(5);
  await page.getByRole('button', { name: 'Change the input' }).click();
  let held = 0;
  await page.route(`${attested.rpcUrl}/**`, () => void held++);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect.poll(() => held).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Stop checking' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).waitFor();
  // The released requests continue, and so does the check.
  await page.unroute(`${attested.rpcUrl}/**`);
  await expect.poll(() => answered).toBeGreaterThanOrEqual(2 * answersOfCheck);
  await rendered(page);
  expect(await page.locator('#verdict').count()).toBe(0);
});
