import { expect, test } from 'vitest';
import { axeViolations } from '../axe-violations.ts';
import { ReaderPage } from './reader-page.ts';
import { attested, browser, setReaderScene } from './reader-scene.ts';
import { shownVerdicts, showVerdict } from './shown-verdicts.ts';

setReaderScene();

/** Each scheme at one width: colours do not change with the width, nor places with the scheme. */
const looks = [
  { colorScheme: 'light', width: 375 },
  { colorScheme: 'dark', width: 900 },
] as const;

test('axe finds nothing wrong with any verdict, and nothing is cut off, in light and dark, on a phone too', async () => {
  for (const verdict of await shownVerdicts(attested)) {
    const opened = await ReaderPage.open(browser);
    const { page } = opened;
    expect(await showVerdict(opened, verdict)).toMatch(new RegExp(`^${verdict.title}`));
    for (const summary of await page.locator('summary').all()) await summary.click();
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      const look = { verdict: verdict.name, colorScheme, width };
      expect({ ...look, overflow, violations: await axeViolations(page) }).toEqual({
        ...{ ...look, overflow: 0, violations: [] },
      });
    }
    await opened.close();
  }
}, 120_000);
