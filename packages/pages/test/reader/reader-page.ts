import { type AttestationReference, formatReference } from 'imprimatur-verifier';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { useBrowser } from '../../../../test/browser/use-browser.ts';
import { type OpenedPage, openPage, pageFile } from '../open-page.ts';
import { type Attested, startAttested, type TestFile } from './attested.ts';

export interface EnteredInput {
  /** Text for the text area. */
  readonly text?: string;
  readonly files?: readonly TestFile[];
  readonly reference?: AttestationReference | string;
  /** The reader's own RPC URLs. */
  readonly rpc?: string;
  /** Hash of the proof's block, for an offline check. */
  readonly blockHash?: string;
}

/** The page for readers in a browser. */
export class ReaderPage {
  readonly page: Page;
  readonly opened: OpenedPage;

  constructor(opened: OpenedPage) {
    this.opened = opened;
    this.page = opened.page;
  }

  /** Opens the page from disk. @param link fragment of the URL */
  static async open(browser: Browser, options?: BrowserContextOptions, link = ''): Promise<ReaderPage> {
    const fragment = link === '' ? '' : `#${link}`;
    const opened = await openPage(browser, `${pageFile('reader')}${fragment}`, options);
    // The page reads the fragment after it shows the form.
    if (link !== '') await expect.poll(() => opened.page.getByLabel('Reference').inputValue()).not.toBe('');
    return new ReaderPage(opened);
  }

  async enter({ text, files, reference, rpc, blockHash }: EnteredInput): Promise<void> {
    const { page } = this;
    if (text !== undefined) await page.getByLabel('Text', { exact: true }).fill(text);
    if (files) await page.getByLabel('Choose files').setInputFiles([...files]);
    if (files) await page.getByRole('button', { name: `Remove ${files.at(-1)?.name}` }).waitFor();
    if (reference !== undefined)
      await page
        .getByLabel('Reference')
        .fill(typeof reference === 'string' ? reference : formatReference(reference));
    if (rpc !== undefined) {
      await page.getByLabel('My own RPC providers').check();
      await page.getByLabel('RPC URLs').fill(rpc);
    }
    if (blockHash !== undefined) {
      await page.getByLabel('None: check').check();
      await page.getByLabel('Hash of the proof').fill(blockHash);
    }
  }

  /** Runs the check. @returns title and summary of the verdict, or the error */
  async check(input: EnteredInput = {}): Promise<{ title: string; summary: string }> {
    const { page } = this;
    await this.enter(input);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const heading = page.locator('#verdict');
    const problem = page.getByRole('alert').locator('.problem');
    await heading.or(problem).waitFor();
    if (await problem.isVisible()) return { title: 'problem', summary: (await problem.textContent()) ?? '' };
    const summary = (await page.locator('.verdict p').first().textContent()) ?? '';
    return { title: (await heading.textContent()) ?? '', summary };
  }

  /** Returns the text of the whole result. */
  async facts(): Promise<string> {
    return (await this.page.locator('article').textContent()) ?? '';
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** The attested articles on the file's own chain. */
export let attested: Attested;
export let browser: Browser;
/** The page, which is opened again for each test. */
export let reader: ReaderPage;

/** Starts the browser and the chain for the tests of a file. */
export function setUpReader(): void {
  beforeAll(async () => {
    attested = await startAttested();
    return () => attested.registry.stop();
  });
  useBrowser((opened) => {
    browser = opened;
  });
  beforeEach(async () => {
    reader = await ReaderPage.open(browser);
  });
  afterEach(() => reader?.close());
}
