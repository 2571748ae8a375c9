import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds wrong with a page as it is shown now: a line each, the rule and the first element. */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; undefined`);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
}
