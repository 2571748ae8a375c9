import { expect, test } from 'vitest';
import { presentTable, replaceResults } from './report.ts';

test('`presentTable` aligns numbers to the right and groups their digits', () => {
  const rows = [
    ['api/get', 1_234_567],
    ['workflow/sweep', 89],
  ];
  expect(presentTable({ title: 'Sizes', columns: ['function', 'bytes'], rows })).toBe(`**Sizes**

| function       |     bytes |
| -------------- | --------: |
| api/get        | 1,234,567 |
| workflow/sweep |        89 |`);
});

test('`replaceResults` replaces only the results of one section', () => {
  const document = `<!-- bench gas: begin -->

old

<!-- bench gas: end -->
prose
<!-- bench hops: begin -->
<!-- bench hops: end -->
`;
  const once = replaceResults(document, 'gas', 'new $&');
  expect(once).toBe(document.replace('old', () => 'new $&'));
  expect(replaceResults(once, 'gas', 'new $&')).toBe(once);
  expect(() => replaceResults(document, 'bundles', 'results')).toThrow();
});
