import { type Browser, chromium } from 'playwright-core';
import { beforeAll, beforeEach, inject } from 'vitest';

/** Connects the tests of a file or suite to the shared Chromium. Skips them if Chrome is not installed. */
export function useBrowser(use: (browser: Browser) => unknown): void {
  const address = inject('chromium');
  if (address === '') {
    beforeEach(({ skip }) => skip('Chrome is not installed'));
    return;
  }
  beforeAll(async () => {
    const browser = await chromium.connect(address);
    browser.on('context', (context) => context.setDefaultTimeout(inject('pollTimeout')));
    await use(browser);
    return () => browser.close();
  });
}
