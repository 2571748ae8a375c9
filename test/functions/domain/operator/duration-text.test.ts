import { expect, test } from 'vitest';
import { durationText } from '../../../../functions/domain/operator/duration-text.ts';

test.each([
  [-3, '0 s'],
  [119, '119 s'],
  [120, '2 min'],
  [7_199, '119 min'],
  [7_200, '2 h'],
  [23 * 3_600, '23 h'],
  [172_800, '2 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
