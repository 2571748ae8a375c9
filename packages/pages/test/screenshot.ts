/**
 * Takes the pictures of the page for readers and the console in the docs.
 * Run: npm run screenshot --workspace packages/pages
 */

import { chromium } from 'playwright-core';
import { checkout } from '../../../local/checkout.ts';
import { startChromium } from '../../../test/browser/start-chromium.ts';
import { ConsolePage } from './console/console-page.ts';
import { attestation, chain, FakeService, fakeUrl } from './console/fake-service.ts';
import { startAttested } from './reader/attested.ts';
import { ReaderPage } from './reader/reader-page.ts';
import { shownVerdicts, showVerdict } from './reader/shown-verdicts.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Opens the console with attestations in three states. */
async function openConsole(): Promise<ConsolePage> {
  const first = attestation.id.replace(/1$/, '2');
  const confirmed = { ...attestation, createdAt: minutesAgo(70), confirmedAt: minutesAgo(68) };
  const attestations = [
    {
      ...attestation,
      id: first,
      status: 'committed',
      url: 'https://example.org/bridge',
      createdAt: minutesAgo(1),
    },
    { ...confirmed, url: 'https://example.org/bridge', childAttestationId: first, childLinkTxHash: '0x1' },
    { ...confirmed, id: attestation.id.replace(/1$/, '3'), url: 'https://example.org/budget-vote' },
  ];
  const service = new FakeService()
    .answer('GET chains', [200, { chains: [chain] }])
    .answer('GET attestations', [200, { attestations }]);
  const options = { viewport: { width: 760, height: 500 }, deviceScaleFactor: 1.7 };
  const tab = await ConsolePage.open(browser, undefined, options, (page) => service.install(page));
  await tab.signIn('imp_test_1', fakeUrl);
  await tab.page.getByText('corrected').waitFor();
  return tab;
}

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
  const tab = await openConsole();
  await tab.page.screenshot({ path: `${checkout}/docs/images/console.png` });
} finally {
  await browser.close();
  await server.close();
  await attested.registry.stop();
}
