/** Takes pictures of both pages, of each verdict, in light and dark and on a phone: for people to look at. */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatReference } from 'imprimatur-verifier';
import { type Browser, chromium, type Page } from 'playwright-core';
import { checkout } from '../../../local/checkout.ts';
import { startChromium } from '../../../test/browser/start-chromium.ts';
import { connectAuthority, openAuthority } from './authority/authority-page.ts';
import { type Attested, startAttested } from './reader/attested.ts';
import { ReaderPage } from './reader/reader-page.ts';
import { shownVerdicts, showVerdict } from './reader/shown-verdicts.ts';

const help = `Takes pictures of the pages for readers and for authorities, and of each verdict.

npm run screenshots --workspace packages/pages -- [--only NAME]… [--readme]

  --only NAME   pictures whose name begins so, such as reader-vouched or authority
  --readme      write docs/images/readers-page.png, and nothing else
  --help        this text

They are written to .local/screenshots: NAME-light.png, NAME-dark.png, NAME-phone.png, NAME-phone-dark.png.`;

const directory = `${checkout}/.local/screenshots`;

const looks = [
  ['light', 'light', 900],
  ['dark', 'dark', 900],
  ['phone', 'light', 375],
  ['phone-dark', 'dark', 375],
] as const;

async function take(page: Page, name: string): Promise<void> {
  for (const [look, colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 740 });
    await page.screenshot({ path: `${directory}/${name}-${look}.png`, fullPage: true });
  }
  console.log(name);
}

async function takeReader(browser: Browser, attested: Attested, isWanted: (name: string) => boolean) {
  if (isWanted('reader-form')) {
    const { page } = await ReaderPage.open(browser);
    await take(page, 'reader-form');
    await page.context().close();
  }
  for (const verdict of await shownVerdicts(attested)) {
    const name = `reader-${verdict.name}`;
    if (!isWanted(name)) continue;
    const reader = await ReaderPage.open(browser);
    await showVerdict(reader, verdict);
    await take(reader.page, name);
    await reader.close();
  }
}

async function takeAuthority(browser: Browser, { registry, unchanged }: Attested) {
  const opened = await openAuthority(browser, registry);
  await take(opened.page, 'authority-form');
  const reference = formatReference(unchanged);
  const { page, button } = await connectAuthority(browser, registry, { reference });
  await take(page, 'authority-connected');
  for (const part of ['Sign instead, without paying gas', 'With a multisig, a script or cast'])
    await page.getByText(part).click();
  await button('Sign the delegation').click();
  await page.getByText('Done. The wallet signed.').waitFor();
  await button('Look up').click();
  await page.getByText('This cannot be undone.').waitFor();
  await take(page, 'authority-all');
}

/** The picture of README.md: the verdict, and the first of what it rests on. */
async function takeReadme(browser: Browser, attested: Attested): Promise<void> {
  const [vouched] = await shownVerdicts(attested);
  if (!vouched?.vouches) throw new Error('the first verdict is not the vouched one');
  const reader = await ReaderPage.open(browser, {
    viewport: { width: 760, height: 442 },
    deviceScaleFactor: 1.7,
  });
  // The chain is some minutes ahead, for its reveal delays are not waited out.
  await reader.page.clock.setSystemTime(Date.now() + 30 * 60_000);
  await showVerdict(reader, vouched);
  await reader.page.evaluate('scrollTo(0, 0)');
  await reader.page.screenshot({ path: `${checkout}/docs/images/readers-page.png` });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      readme: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(help);
  process.env.VITEST_POOL_ID ??= 'screenshots';
  mkdirSync(directory, { recursive: true });
  const [attested, server] = await Promise.all([startAttested(), startChromium()]);
  const browser = await chromium.connect(server.wsEndpoint());
  const isWanted = (name: string) => values.only?.some((start) => name.startsWith(start)) ?? true;
  try {
    if (values.readme) return await takeReadme(browser, attested);
    await takeReader(browser, attested, isWanted);
    if (isWanted('authority')) await takeAuthority(browser, attested);
    console.log(`written to ${directory}`);
  } finally {
    await server.close();
    await attested.registry.stop();
  }
}

await main();
