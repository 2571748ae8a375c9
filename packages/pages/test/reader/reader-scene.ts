import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openBrowser } from '../../../../test/browser/open-browser.ts';
import { type Attested, startAttested } from './attested.ts';
import { ReaderPage } from './reader-page.ts';

/** What is attested on the file's own chain. */
export let attested: Attested;
export let browser: Browser;
/** The page, opened anew for each test. */
export let reader: ReaderPage;

/** Sets the scene for the tests of a file, and takes it down after them. */
export function setReaderScene(): void {
  beforeAll(async () => {
    [attested, browser] = await Promise.all([startAttested(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await attested?.registry.stop();
  });
  beforeEach(async () => {
    reader = await ReaderPage.open(browser);
  });
  afterEach(() => reader?.close());
}

/** Opens the page in place of the one that is open, by a link with this fragment. */
export async function openReaderAt(fragment: string): Promise<void> {
  await reader.close();
  reader = await ReaderPage.open(browser, {}, fragment);
}
