import fc, { assert, property, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { listParameters, listQuerySchema } from '../../../functions/api/bodies/list-query.ts';
import { memberText } from '../../../functions/api/bodies/member-text.ts';
import { createBodySchema, urlPattern } from '../../../functions/api/bodies/requests.ts';
import {
  listParameters as documentedParameters,
  limitSchema,
} from '../../../functions/api/openapi/list-parameters.ts';

const accepts = (url: string) => createBodySchema.safeParse({ content: 'a', url }).success;

test('every url that matches the documented pattern is accepted', () => {
  const urls = stringMatching(new RegExp(urlPattern)).filter(
    (url) => url.length <= 2048 && url.isWellFormed(),
  );
  // An `xn--` label is Punycode, and may decode to nothing; one that begins with `0x` may be a number.
  const anyUrl = urls.filter((url) => !/xn--|\b0x/i.test(url));
  assert(
    property(anyUrl, (url) => accepts(url)),
    { numRuns: 500 },
  );
});

test.each([
  'https://a.example',
  'HTTP://A.EXAMPLE/',
  'http://localhost:3000/a?b#c',
  'https://user:secret@a.example/',
  'https://münchen.example/straße',
  'https://a.example/ä b',
  'https://2026.example/',
])('the documented pattern allows %s, and it is accepted', (url) => {
  expect([new RegExp(urlPattern).test(url), accepts(url)]).toEqual([true, true]);
});

test.each([
  '',
  'a.example',
  'ftp://a.example',
  'https:a.example',
  'https://',
  'https://a b/',
  'https://1.2',
  'https://a:600000/',
  'https://a.example/\n',
  'https://a.example/\u007f',
  'https://a\tb@a.example/',
])('the documented pattern does not allow %j', (url) => {
  expect(new RegExp(urlPattern).test(url)).toBe(false);
});

test('the documented limits are the accepted ones', () => {
  const { minimum, maximum, default: byDefault } = limitSchema;
  const limitOf = (limit: number) => listQuerySchema.safeParse({ limit: String(limit) }).data?.limit;
  expect([minimum, maximum].map(limitOf)).toEqual([minimum, maximum]);
  expect([minimum - 1, maximum + 1].map(limitOf)).toEqual([undefined, undefined]);
  expect(listQuerySchema.parse({}).limit).toBe(byDefault);
});

test('the API document lists exactly the query parameters that a list reads', () => {
  expect(documentedParameters.map(({ name }) => name)).toEqual(listParameters);
});

test.each([
  ['{}', undefined],
  ['{"a":{"metadata":1}}', undefined],
  ['{"metadata":{}}', '{}'],
  ['{"metadata":{"a":1},"b":"}","metadata":{"c":[2]}}', '{"c":[2]}'],
  ['{"m\\u0065tadata":{"a":1}}', '{"a":1}'],
  ['{"content":"\\\\","metadata":{"\\"":"\\\\\\""}}', '{"\\"":"\\\\\\""}'],
])('`memberText` reads `metadata` from %s', (json, text) => {
  expect(memberText(json, 'metadata')).toBe(text);
});

test('`memberText` returns the JSON of the member, however the text is spaced', () => {
  const spaces = fc.constantFrom(undefined, 1, 2, '\t');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), spaces, (rest, value, space) => {
      const json = JSON.stringify({ ...rest, metadata: value, last: [rest] }, null, space);
      expect(memberText(json, 'metadata')).toBe(JSON.stringify(value));
    }),
  );
});
