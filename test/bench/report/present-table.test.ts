import { expect, test } from 'vitest';
import { presentTable, tableRecords } from './present-table.ts';
import { median } from './statistics.ts';

const table = {
  title: 'Sizes',
  columns: ['function', 'bytes'],
  rows: [
    ['api/get', 1_234_567],
    ['workflow/sweep', 89],
  ],
};

test('aligns numbers to the right and groups their digits', () => {
  expect(presentTable(table)).toBe(`**Sizes**

| function       |     bytes |
| -------------- | --------: |
| api/get        | 1,234,567 |
| workflow/sweep |        89 |`);
});

test('does not make rows as long as one long cell at the end', () => {
  const long = 'x'.repeat(100);
  const lines = presentTable({
    title: 'T',
    columns: ['a', 'b'],
    rows: [
      ['one', long],
      ['two', 'y'],
    ],
  }).split('\n');
  expect(lines.at(-2)).toBe(`| one | ${long} |`);
  expect(lines.at(-1)).toBe('| two | y |');
});

test('gives scripts each row by the names of its columns', () => {
  expect(tableRecords(table)[0]).toEqual({ function: 'api/get', bytes: 1_234_567 });
});

test('takes the middle value, and of two middle ones the lower', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2);
});
