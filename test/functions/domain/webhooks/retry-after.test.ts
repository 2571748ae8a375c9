import { expect, test } from 'vitest';
import { retryAfterMilliseconds } from '../../../../functions/domain/webhooks/retry-after.ts';

const now = new Date('1994-11-06T08:49:00.000Z');

test.each([
  ['120', 120_000],
  ['0', 0],
  // The three forms of RFC 9110, 5.6.7.
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['Sun Nov  6 08:49:37 1994', 37_000],
  ['Sun, 06 Nov 1994 08:48:59 GMT', 0],
])('reads %s', (header, milliseconds) => {
  expect(retryAfterMilliseconds(header, now)).toBe(milliseconds);
});

test.each(['14401', '99999999999999999999', '9'.repeat(400), 'Sun, 06 Nov 2094 08:49:37 GMT'])(
  'takes four hours for %s',
  (header) => {
    expect(retryAfterMilliseconds(header, now)).toBe(4 * 3_600_000);
  },
);

test.each([
  ...['-5', '1.5', '1e3', '0x10', '60, 120', '60 s', 'soon', '', ' ', 'Infinity', '٣'],
  ...['1994-11-06T09:49:00Z', 'Sun, 06 Nov 1994 09:49:37 +0200', 'Sun, 99 Nov 1994 08:49:37 GMT'],
  ...['Sun, 06 Nov 1994 99:99:99 GMT', 'Sun, 06 Xyz 1994 08:49:37 GMT'],
])('does not take %j for a time', (header) => {
  expect(retryAfterMilliseconds(header, now)).toBe(0);
});

test('an answer without the header asks for nothing', () => {
  expect(retryAfterMilliseconds(undefined, now)).toBe(0);
});
