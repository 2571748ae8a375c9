import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { wholeNumber } from '../../../local/terminal/whole-number.ts';

test('takes whole numbers within the bounds, both included', () => {
  expect(['1', '64'].map(wholeNumber(1, 64))).toEqual([1, 64]);
});

test.each(['0', '65', '1.5', '-1', '', ' 2', 'x', '1e1'])('refuses %j', (value) => {
  expect(() => wholeNumber(1, 64)(value)).toThrow(InvalidArgumentError);
});
