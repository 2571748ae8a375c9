import { expect, test } from 'vitest';
import { presentTable } from './report.ts';

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
