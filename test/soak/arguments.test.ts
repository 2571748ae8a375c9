import { expect, test } from 'vitest';
import { parseSoakOptions } from './arguments.ts';

const usual = { real: false, trace: false, json: false };

test('a thousand seeds are lived on fakes, and fifty for real', () => {
  expect(parseSoakOptions([])?.seeds).toHaveLength(1000);
  expect(parseSoakOptions(['--real'])?.seeds).toHaveLength(50);
});

test('the first seed and their number are as told', () => {
  const options = parseSoakOptions(['--seeds', '3', '--first', '70', '--json']);
  expect(options).toEqual({ ...usual, seeds: [70, 71, 72], json: true });
});

test('one seed is lived alone, and told line by line when that is asked for', () => {
  expect(parseSoakOptions(['--seed', '17', '--trace'])).toEqual({ ...usual, seeds: [17], trace: true });
  expect(parseSoakOptions(['--seeds', '17', '--trace'])?.trace).toBe(false);
});

test.each([
  [['--seeds', '0'], '--seeds must be a whole number'],
  [['--seed', '-1'], "'--seed"],
  [['--speed', '1'], "'--speed'"],
])('%j is refused', (argv, words) => {
  expect(() => parseSoakOptions(argv)).toThrow(words);
});

test('help is asked for', () => {
  expect(parseSoakOptions(['--help'])).toBeUndefined();
});
