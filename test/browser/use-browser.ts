import { type Browser, chromium } from 'playwright-core';
import { beforeAll, beforeEach, inject } from 'vitest';

/** Connects the tests of a file or suite to the shared Chromium. Skips them where it cannot start. */
export function useBrowser(use: (browser: Browser) => unknown): void {
  const address = inject('chromium');
  if (address === '') {
    beforeEach(({ skip }) => skip('Chromium cannot start'));
    return;
  }
  beforeAll(async () => {
    const browser = await chromium.connect(address);
    browser.on('context', (context) => context.setDefaultTimeout(inject('pollTimeout')));
    await use(browser);
    return () => browser.close();
  });
}
