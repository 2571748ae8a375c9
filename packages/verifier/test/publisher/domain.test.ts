import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { authoritiesUrl, DomainInvalidError, parseDomain, showDomain } from '../../src/verifier.ts';

test.each([
  ['example.org', 'example.org'],
  [' News.Example.ORG ', 'news.example.org'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
])('`parseDomain` converts %s to %s', (text, domain) => {
  expect(parseDomain(text)).toBe(domain);
});

const invalidNames =
  'localhost 127.0.0.1 0x7f.1 [::1] 2130706433 example.org. .org a..org -a.org exa_mple.org a.123';
const urlsAndLongNames =
  'https://example.org example.org/news example.org:443 me@example.org example.org? ' +
  `${'a'.repeat(64)}.org ${'a.'.repeat(127)}org`;

test.each(['', 'a b.org', 'exa\u0000mple.org', ...invalidNames.split(' '), ...urlsAndLongNames.split(' ')])(
  '`parseDomain` rejects %j',
  (text) => {
    expect(() => parseDomain(text)).toThrow(DomainInvalidError);
  },
);

test('`authoritiesUrl` uses the domain in ASCII', () => {
  expect(authoritiesUrl('Bücher.example')).toBe(
    'https://xn--bcher-kva.example/.well-known/attestation-authorities.json',
  );
});

test('`showDomain` returns an ASCII name unchanged', () => {
  expect(showDomain('example.org')).toEqual({ domain: 'example.org', unicodeDomain: undefined, notices: [] });
});

test('`showDomain` adds a notice to every internationalized name', () => {
  expect(showDomain('bücher.example')).toEqual({
    domain: 'xn--bcher-kva.example',
    unicodeDomain: 'bücher.example',
    notices: [
      expect.stringMatching(
        /^xn--bcher-kva\.example is displayed as "bücher\.example": .* may look like others/,
      ),
    ],
  });
  // Cyrillic throughout, and looks like Latin.
  expect(showDomain('аррӏе.example').notices).toHaveLength(1);
});

test.each(['ex\u0430mple.org', 'gr\u03b5ek.org', 'п\u0251.example'])(
  '`showDomain` reports that %s mixes scripts',
  (name) => {
    const [mixed, written] = showDomain(name).notices;
    expect(mixed).toContain('mixes letters of several scripts');
    expect(written).toContain('may look like others');
  },
);

test('`showDomain` decodes names as Node does', () => {
  const letter = fc.constantFrom(...'abz09äßéоя中文字あकখไ𐍈');
  const name = fc
    .array(letter, { minLength: 1, maxLength: 20 })
    .map((letters) => `${letters.join('')}.example`);
  fc.assert(
    fc.property(name, (text) => {
      fc.pre(URL.canParse(`https://${text}/`));
      const { domain, unicodeDomain } = showDomain(text);
      expect(unicodeDomain ?? domain).toBe(domainToUnicode(domain));
    }),
    { numRuns: 2000 },
  );
});
