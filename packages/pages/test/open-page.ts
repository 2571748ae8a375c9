import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, ConsoleMessage, Page, Request } from 'playwright-core';
import { checkout } from '../../../local/checkout.ts';
import { buildPages, type PageName } from '../src/build-pages.ts';

/** A page opened from disk, with its requests and console messages. */
export interface OpenedPage {
  readonly page: Page;
  /** URLs of requests, without the page itself. */
  readonly requested: string[];
  /** Errors and warnings in the console. */
  readonly consoleMessages: string[];
}

let directory: string | undefined;

/** Returns the URL of a built page. Builds the pages only once, because that is slow. */
export function pageFile(name: PageName): string {
  directory ??= writePages();
  return pathToFileURL(`${directory}/${name}.html`).href;
}

/** Writes each page under another name and then renames it, because other processes may read it meanwhile. */
function writePages(): string {
  const pages = buildPages();
  const hash = createHash('sha256').update(JSON.stringify(pages.map(({ html }) => html)));
  const path = `${checkout}/.local/pages-${hash.digest('hex').slice(0, 12)}`;
  mkdirSync(path, { recursive: true });
  for (const { name, html } of pages) {
    writeFileSync(`${path}/${name}.${process.pid}`, html);
    renameSync(`${path}/${name}.${process.pid}`, `${path}/${name}.html`);
  }
  return path;
}

/** Opens a page in a new browser context. @param prepare runs before the page is loaded */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await prepare(page);
  const [requested, consoleMessages]: [string[], string[]] = [[], []];
  page.on('request', (request: Request) => {
    const [requestUrl = ''] = request.url().split('#');
    if (requestUrl !== url.split('#')[0] && !requestUrl.startsWith('data:')) requested.push(requestUrl);
  });
  page.on('console', (message: ConsoleMessage) => {
    if (['error', 'warning'].includes(message.type())) consoleMessages.push(message.text());
  });
  page.on('pageerror', (error: Error) => consoleMessages.push(error.message));
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, requested, consoleMessages };
}

/** Waits until the page has read the answers that it has, as it reads them, and has rendered its state. */
export async function rendered(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let round = 0; round < 10; round++) {
      await new Response('{}').blob().then((blob) => blob.arrayBuffer());
      await new Promise((done) => requestAnimationFrame(done));
    }
  })()`);
}

/** Returns the violations that axe finds, each as a line with the rule and the first element. */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; undefined`);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
}
