import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../../../local/checkout.ts';
import { parseUpgradeOptions } from '../../../local/upgrade/options.ts';

test('deploys this checkout over itself, or from and to others by absolute paths', () => {
  expect(parseUpgradeOptions([])).toEqual({ from: checkout, to: checkout });
  expect(parseUpgradeOptions(['--from', '../older'])).toEqual({ from: resolve('../older'), to: checkout });
});

test('asks for no rehearsal with --help, and refuses what it does not know', () => {
  expect(parseUpgradeOptions(['--help'])).toBeUndefined();
  expect(() => parseUpgradeOptions(['--form', '..'])).toThrow('--help lists the options');
});
