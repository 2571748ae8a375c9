import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type RegistryFixture, startRegistry } from '../../../../contracts/test/chain/registry.ts';
import { openBrowser } from '../../../../test/browser/open-browser.ts';

export let browser: Browser;
/** A registry on a chain of its own, anew for each test. */
export let registry: RegistryFixture;

/** Sets the scene for the tests of a file, and takes it down after them. */
export function setAuthorityScene(): void {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    registry = await startRegistry();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await registry.stop();
  });
}
