import type { Browser, ConsoleMessage, Locator, Page, Request } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../browser/use-browser.ts';
import { article, newPublisher } from './stack/publisher.ts';
import { documentedRoutes } from './stack/routes.ts';
import { stack } from './stack/running-stack.ts';

let browser: Browser;
let page: Page;
let complaints: string[];
let asked: string[];

useBrowser((opened) => {
  browser = opened;
});

beforeEach(async () => {
  complaints = [];
  asked = [];
  page = await browser.newPage();
  page.on('console', (message: ConsoleMessage) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error: Error) => complaints.push(error.message));
  page.on('request', (request: Request) => asked.push(request.url()));
});

afterEach(() => page?.close());

async function openDocs(): Promise<void> {
  await page.goto(`${stack.apiUrl}/docs`);
  await page.locator('.opblock').first().waitFor();
}

test('the page shows every operation, requests nothing from other hosts, and logs no error', async () => {
  await openDocs();
  const shown = await page.locator('.opblock').evaluateAll((blocks) =>
    blocks.map((block) => {
      const text = (part: string) => block.querySelector(`.opblock-summary-${part}`)?.textContent ?? '';
      // The renderer adds zero-width spaces to paths.
      return `${text('method')} ${text('path')}`.replaceAll('\u200b', '');
    }),
  );
  expect(shown.toSorted()).toEqual(await documentedRoutes());
  expect(asked.filter((url) => !url.startsWith('data:')).toSorted()).toEqual([
    `${stack.apiUrl}/docs`,
    `${stack.apiUrl}/openapi.json`,
  ]);
  expect(complaints).toEqual([]);
});

async function authorize(pasted: string): Promise<void> {
  await openDocs();
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  expect(await page.locator('.modal-ux').textContent()).toContain('Paste only the API key');
  await page.getByLabel('auth-bearer-value').fill(pasted);
  await page.getByRole('button', { name: 'Apply credentials' }).first().click();
  await page.getByRole('button', { name: 'Close' }).first().click();
}

/** Tries an operation unchanged. @returns the shown response */
async function tryOut(operation: Locator): Promise<string | null> {
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  return answer.textContent();
}

test('the page accepts a pasted Authorization header', async () => {
  const publisher = await newPublisher();
  const { body } = await publisher.api.create({ content: article() });
  await authorize(`"Authorization: Bearer ${publisher.apiKey}"`);
  const lists = page.locator('.opblock', { hasText: 'List' }).filter({ hasText: '/v1/​attestations' });
  expect(await tryOut(lists.first())).toContain(String(body.id));
  expect(complaints).toEqual([]);
});

test('the API accepts the first example request', async () => {
  const publisher = await newPublisher();
  await authorize(publisher.apiKey);
  expect(await tryOut(page.locator('.opblock').first())).toContain('202');
  expect((await publisher.api.list()).body.attestations).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test('the page shows its license, and links to no other site', async () => {
  await openDocs();
  await page.getByText('License: MIT').click();
  expect(await page.locator('.license').textContent()).toContain('Permission is hereby granted');
  const links = await page.locator('a[href]:visible').evaluateAll((all) => all.map((link) => String(link)));
  expect(links.filter((link) => !link.startsWith(stack.apiUrl))).toEqual([]);
});

test('the page fits a phone', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openDocs();
  for (const summary of await page.locator('.opblock-summary-control').all()) await summary.click();
  await page.locator('.opblock.is-open .responses-table').first().waitFor();
  const [scrollWidth = 0, clientWidth = 0] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});
