/** Takes the picture in README.md: a verdict and the first facts. Run: npm run screenshot --workspace packages/pages */

import { chromium } from 'playwright-core';
import { checkout } from '../../../local/checkout.ts';
import { startChromium } from '../../../test/browser/start-chromium.ts';
import { startAttested } from './reader/attested.ts';
import { ReaderPage } from './reader/reader-page.ts';
import { shownVerdicts, showVerdict } from './reader/shown-verdicts.ts';

process.env.VITEST_POOL_ID ??= 'screenshot';
const [attested, server] = await Promise.all([startAttested(), startChromium()]);
const browser = await chromium.connect(server.wsEndpoint());
try {
  const [vouched] = await shownVerdicts(attested);
  if (vouched?.[0] !== 'vouched') throw new Error('the first verdict is not the vouched one');
  const reader = await ReaderPage.open(browser, {
    viewport: { width: 760, height: 442 },
    deviceScaleFactor: 1.7,
  });
  // The chain's clock is ahead, because the tests skip reveal delays.
  await reader.page.clock.setSystemTime(Date.now() + 30 * 60_000);
  await showVerdict(reader, vouched);
  await reader.page.evaluate('scrollTo(0, 0)');
  await reader.page.screenshot({ path: `${checkout}/docs/images/readers-page.png` });
} finally {
  await browser.close();
  await server.close();
  await attested.registry.stop();
}
