import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const guide = readFileSync('docs/guides/wordpress.md', 'utf8');
const plugin = 'integrations/wordpress/imprimatur';
const sources = [`${plugin}/imprimatur.php`, ...globSync(`${plugin}/includes/*.php`).sort()]
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

const namesIn = (pattern: RegExp) => [
  ...new Set([...guide.matchAll(pattern)].map(([whole, name]) => name ?? whole)),
];

test("the guide names the plugin's filters with their number of arguments", () => {
  const filters = [...guide.matchAll(/add_filter\( '(\w+)', fn\(([^)]*)\).*, 10, (\d) \);/g)];
  expect(filters.map(([, name]) => name)).toEqual(['imprimatur_text', 'imprimatur_is_eligible']);
  for (const [, name, parameters = '', count] of filters) {
    const [, given = ''] = new RegExp(`apply_filters\\( '${name}', (.*) \\);`).exec(sources) ?? [];
    // The filtered value, and the post.
    expect([parameters.split(',').length, Number(count)]).toEqual([2, 2]);
    expect(given).toMatch(/, \$post$/);
  }
});

test('each option, constant, table and URL in the guide exists in the plugin', () => {
  const names = namesIn(/\b(?:wp_)?(imprimatur_\w+)|\bIMPRIMATUR_\w+|\bWP_IMPORTING\b/g);
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) expect(sources).toMatch(new RegExp(`['\\\\]${name}\\b`));
});

test('the settings in the guide exist on the settings page', () => {
  const page = readFileSync(`${plugin}/includes/admin.php`, 'utf8');
  expect(namesIn(/\*Settings → (\w+)\*/g)).toEqual(['Imprimatur']);
  expect(page).toContain("add_options_page( 'Imprimatur', 'Imprimatur'");
  const step = /^3\. Under[\s\S]*?\n\n/m.exec(guide)?.[0] ?? '';
  for (const label of ['URL of the service', 'page for readers', 'post types']) {
    expect(step).toContain(label);
    expect(page.toLowerCase()).toContain(label.toLowerCase());
  }
  expect(guide).toContain('*Try again*');
  expect(page).toContain('>Try again</a>');
});

test('versions, folder and default delay in the guide match the plugin', () => {
  const [, wordpress, php] = /WordPress ([\d.]+), PHP ([\d.]+),/.exec(guide) ?? [];
  expect(sources).toMatch(new RegExp(`^ \\* Requires at least: +${wordpress}$`, 'm'));
  expect(sources).toMatch(new RegExp(`^ \\* Requires PHP: +${php}$`, 'm'));
  expect(guide).toContain(`cp -r ${plugin} `);
  const [, minutes] = /after the delay in the settings \((\d+) minutes\)/.exec(guide) ?? [];
  const defaults = [...sources.matchAll(/get_option\( 'imprimatur_delay', (\d+) \)/g)].map(
    ([, value]) => value,
  );
  expect(new Set(defaults)).toEqual(new Set([minutes]));
});
