import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../test/browser/use-browser.ts';
import { buildPages } from '../src/build-pages.ts';
import { axeViolations, openPage, pageFile } from './open-page.ts';

const built = buildPages();
const maxGzippedBytes = 100_000;

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

test.each(built)(
  '$name is one file of at most 100 kB, gzipped, without external resources',
  ({ html, gzippedBytes }) => {
    expect(gzippedBytes).toBeLessThanOrEqual(maxGzippedBytes);
    expect(html).not.toMatch(/<(script|link|img|iframe|object|embed)\b[^>]*(src|href)="(?!data:,")/);
    expect(html).not.toMatch(/@import|url\(/);
    expect(html).not.toMatch(/WebAssembly|unsafe-/);
  },
);

/** Writes the page with additions to its body, as an attacker could make it. */
function pageWith(name: (typeof built)[number]['name'], additions: string): string {
  const url = pageFile(name).replace('.html', '-changed.html');
  const { html = '' } = built.find((page) => page.name === name) ?? {};
  writeFileSync(fileURLToPath(url), html.replace('<noscript>', `${additions}<noscript>`));
  expect(readFileSync(fileURLToPath(url), 'utf8')).toContain(additions);
  return url;
}

test.each(built)(
  '$name runs only its own script, applies only its own style, and loads no image',
  async ({ name }) => {
    const additions =
      '<script>window.ran = true</script><style>h1 { color: rgb(1, 2, 3) }</style>' +
      '<p id="handler" onclick="window.ran = true">click</p><img alt="" src="https://example.org/a.png">';
    const { page, consoleMessages } = await openPage(browser, pageWith(name, additions));
    await page.locator('#handler').click();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).color")).not.toBe(
      'rgb(1, 2, 3)',
    );
    expect(
      consoleMessages.filter((text) => text.includes('Content Security Policy')).length,
    ).toBeGreaterThanOrEqual(4);
    await page.context().close();
  },
);

test.each(built)('$name does not interpret text as markup', async ({ name }) => {
  const { page } = await openPage(browser, pageFile(name));
  const set = page.evaluate('document.body.innerHTML = "<b>bold</b>"');
  await expect(set).rejects.toThrow('TrustedHTML');
  await page.context().close();
});

test.each(built.flatMap(({ name }) => (['light', 'dark'] as const).map((scheme) => [name, scheme] as const)))(
  '%s opens from disk in %s without requests, console messages and axe violations',
  async (name, colorScheme) => {
    const { page, requested, consoleMessages } = await openPage(browser, pageFile(name), { colorScheme });
    expect({ requested, consoleMessages }).toEqual({ requested: [], consoleMessages: [] });
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  },
);
