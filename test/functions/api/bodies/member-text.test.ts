import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberText } from '../../../../functions/api/bodies/member-text.ts';

test('is the text as it was sent, without the spaces between its tokens', () => {
  const sent =
    '{"2":12345678901234567890,"1":-0,"__proto__":{"a":1e400},"b":"\\u0061 \\" }","b":[1.0,true,null]}';
  const spaced = ` { "content" : "a \\\\" , "metadata" : ${sent.replaceAll(/([,:[{])/g, '$1 \n')} , "z" : { } } `;
  expect(memberText(spaced, 'metadata')).toBe(sent);
});

test.each([
  ['{}', undefined],
  ['{"a":{"metadata":1}}', undefined],
  ['{"metadata":{}}', '{}'],
  ['{"metadata":{"a":1},"b":"}","metadata":{"c":[2]}}', '{"c":[2]}'],
  ['{"m\\u0065tadata":{"a":1}}', '{"a":1}'],
  ['{"content":"\\\\","metadata":{"\\"":"\\\\\\""}}', '{"\\"":"\\\\\\""}'],
])('of %s', (json, text) => {
  expect(memberText(json, 'metadata')).toBe(text);
});

test('of any object, however it is spaced, is the JSON of the member', () => {
  const spaces = fc.constantFrom(undefined, 1, 2, '\t');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), spaces, (rest, value, space) => {
      const json = JSON.stringify({ ...rest, metadata: value, last: [rest] }, null, space);
      expect(memberText(json, 'metadata')).toBe(JSON.stringify(value));
    }),
  );
});
