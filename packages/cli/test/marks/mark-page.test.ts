import fc from 'fast-check';
import { formatReference, referencesInPage } from 'imprimatur-verifier';
import { parse, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { referenceTo } from '../../../verifier/test/quote/quotable.ts';
import { type Marks, markPage } from '../../src/marks/mark-page.ts';

const reference = formatReference(referenceTo('A text.\n'));
const other = formatReference(referenceTo('Another text.\n'));
const base: Marks = { reference, badgeText: 'Check it' };
const all: Marks = { ...base, text: 'article.txt', reader: 'https://reader.example/' };
const mark = (page: string, marks: Partial<Marks> = {}) => markPage(page, { ...base, ...marks });

const identifier = { '@type': 'PropertyValue', propertyID: 'attestation', value: reference };
const article = (fields: object) => ({ '@type': 'Article', ...fields });
const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const jsonLdOf = (page: string) =>
  [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
    JSON.parse(json),
  );

test('a page without marks gets all of them', () => {
  const page =
    '<!doctype html>\n<html>\n<head>\n<title>A</title>\n</head>\n<body><article>\n<p>A text.</p>\n</article></body>\n</html>\n';
  expect(mark(page, all)).toBe(
    `<!doctype html>\n<html>\n<head>\n<title>A</title>\n` +
      `<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","identifier":` +
      `{"@type":"PropertyValue","propertyID":"attestation","value":"${reference}"}}</script>\n` +
      '<link rel="alternate" type="text/plain" title="Attested text" href="article.txt" />\n' +
      '</head>\n<body><article>\n<p>A text.</p>\n' +
      `<a class="attestation-badge" href="https://reader.example/#${reference}"><svg aria-hidden="true" focusable="false" ` +
      'width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5">' +
      '<circle cx="7" cy="7" r="5"/><path d="m11 11 4 4"/></svg> Check it</a>\n' +
      '</article></body>\n</html>\n',
  );
});

test.each([
  [
    { '@graph': [{}, { '@type': ['Thing', 'Article'] }] },
    { '@graph': [{}, { '@type': ['Thing', 'Article'], identifier }] },
  ],
  [
    [{ '@type': 'WebSite' }, { '@type': 'https://schema.org/BlogPosting' }],
    [{ '@type': 'WebSite' }, { '@type': 'https://schema.org/BlogPosting', identifier }],
  ],
  [
    { '@type': 'WebPage', mainEntity: { '@type': 'Report' } },
    { '@type': 'WebPage', mainEntity: { '@type': 'Report', identifier } },
  ],
  [article({ headline: 'A' }), article({ headline: 'A', identifier })],
  [article({ identifier: 'A-1' }), article({ identifier: ['A-1', identifier] })],
  [
    article({ identifier: ['A-1', { '@id': 'x' }] }),
    article({ identifier: ['A-1', { '@id': 'x' }, identifier] }),
  ],
  [article({ identifier: [] }), article({ identifier: [identifier] })],
  [article({ identifier: null }), article({ identifier: [identifier] })],
  [{ identifier: { ...identifier, value: other } }, { identifier }],
  [
    { identifier: { propertyID: 'attestation' } },
    { identifier: { propertyID: 'attestation', value: reference } },
  ],
])('the identifier is added to %j', (before, after) => {
  const page = mark(`<title>A</title>${jsonLd(before)}<p>A text.</p>`);
  expect(jsonLdOf(page)).toEqual([after]);
  expect(mark(page)).toBe(page);
});

test('the rest of the JSON stays unchanged, including spaces and numbers', () => {
  const json =
    '{\r\n\t"@type" : "NewsArticle" ,\r\n\t"a": "}\\"{ [", "version": 1.0, "id": 12345678901234567890, "a": [ ]\r\n}';
  const page = `<script type='application/ld+json; charset=utf-8'>${json}</script>`;
  const expected = json.replace('{\r\n\t', `{\r\n\t"identifier": ${JSON.stringify(identifier)},\r\n\t`);
  expect(mark(page)).toBe(page.replace(json, expected));
});

test('an invalid block of JSON-LD stays unchanged, and a new block is added', () => {
  const broken = '<script type="application/ld+json">{ "@type": "NewsArticle", }</script>';
  const page = mark(`<head>${broken}</head>`);
  expect(page).toContain(broken);
  expect(referencesInPage(page).references.map(formatReference)).toEqual([reference]);
});

test('the correction is added once', () => {
  const correction = 'https://example.org/2?a=1&b=</script><!--é';
  const comment = { '@type': 'CorrectionComment', url: correction };
  const fresh = mark('<title>A</title>', { correction });
  expect(jsonLdOf(fresh)[0].correction).toEqual(comment);
  expect(fresh).not.toMatch(/<!--|<\/script>.*<\/script>|[^\n -~]/s);
  expect(mark(fresh, { correction })).toBe(fresh);
  const marked = mark(jsonLd({ '@type': 'Article', correction: 'A word.' }), { correction });
  expect(jsonLdOf(marked)[0]).toEqual({ '@type': 'Article', identifier, correction: ['A word.', comment] });
  expect(mark(marked, { correction })).toBe(marked);
});

test('a new reference replaces the old one, and nothing else', () => {
  const page = mark('<head></head><article><p>A text.</p></article>', all);
  const changed = mark(page, { ...all, reference: other });
  expect(changed).toBe(page.replaceAll(reference, other));
  // Without --reader, the badge keeps its URL.
  expect(mark(page, { reference: other })).toBe(changed);
  expect(mark(page, { ...all, text: 'b.txt' })).toBe(page.replace('article.txt', 'b.txt'));
});

test('a page in XHTML stays well-formed', () => {
  const page =
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title></head><body><article>A</article></body></html>';
  const correction = 'https://example.org/?a&b';
  const more = { text: 'a.txt?a&b', badgeText: 'Who & when?', correction };
  const marked = mark(page, { ...all, ...more, publicReference: referenceTo('A text.\n') });
  // The result has only character references, attributes with values, and closed elements.
  expect(marked).not.toMatch(/&(?!#x[0-9a-f]+;)/);
  expect(marked).not.toMatch(/<[a-z]+(?: [\w-]+="[^"]*")* [\w-]+(?=[ />])/);
  expect(marked).toMatch(/<link [^>]* \/>/);
});

test("the publisher's changes to the badge stay", () => {
  const page = mark('<article>A</article>', all)
    .replace('>', ' lang="de">')
    .replace('Check it', '<b>Wer war das?</b>');
  expect(mark(page, { ...all, reference: other })).toBe(page.replaceAll(reference, other));
});

test('a page that names several attestations is refused', () => {
  const page = [reference, other].map((value) => jsonLd({ identifier: { ...identifier, value } })).join('');
  expect(() => mark(page)).toThrow('names several attestations');
  const twice = jsonLd([{ identifier }, { identifier }]);
  expect(mark(twice, { reference: other })).toBe(twice.replaceAll(reference, other));
});

test('a page that names the attestation of a cited article is refused', () => {
  const cited = { '@type': 'NewsArticle', identifier: { ...identifier, value: other } };
  const page = jsonLd({ '@type': 'NewsArticle', isBasedOn: cited });
  expect(() => mark(page)).toThrow(`names an attestation of something else; remove ${other}`);
  const inList = jsonLd({ '@type': 'NewsArticle', identifier, citation: [cited] });
  expect(() => mark(inList)).toThrow('something else');
});

test('for the public registry, public tools find the article and exclude the badge', () => {
  const publicReference = referenceTo('A text.\n');
  const value = (page: string) =>
    JSON.parse(/data-indelible="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#x22;', '"') ?? '');
  const page = mark('<body><main><article id="a">A</article></main></body>', { ...all, publicReference });
  expect(page).toContain('<article data-indelible="');
  expect(page).toContain('<a class="attestation-badge" data-indelible-exclude="" href=');
  expect(value(page)).toEqual({
    ipfsCid: publicReference.contentCid,
    authority: publicReference.authorityAddress,
    ...{ chainId: 8453, attestationIndex: 1 },
  });
  const newer = { ...publicReference, attestationIndex: 2 };
  expect(value(mark(page, { ...all, publicReference: newer })).attestationIndex).toBe(2);
  expect(mark('<article>A</article>', all)).not.toContain('indelible');
  expect(() => mark('<p>A', { publicReference })).toThrow('which public tools need');
  expect(() => mark(page)).toThrow('data-indelible');
});

test.each([
  ['nothing', ''],
  ['a text', 'A text.'],
  ['only a doctype', '<!doctype html>\n'],
  ['only a title', '<!doctype html><title>A</title><p>A text.'],
  ['a head without an end', '<head><title>A</title><body>A'],
  ['only a body', '<html lang="en"><body class=a>A</body></html>'],
  ['upper case', '<HTML><HEAD><TITLE>A</TITLE></HEAD><BODY>A</BODY></HTML>'],
  ['a head in a comment', '<!-- </head> --><html><head></head><body></body></html>'],
  ['a head in a script', '<head><script>"</head>"</script></head><p>A'],
])('the marks of a page with %s are placed where browsers read them', (_, page) => {
  const marked = mark(page, all);
  const document = serialize(parse(marked));
  expect(document.indexOf('ld+json')).toBeLessThan(document.indexOf('<body'));
  expect(document.indexOf('Attested text')).toBeLessThan(document.indexOf('<body'));
  expect(document.indexOf('attestation-badge')).toBeGreaterThan(document.indexOf('<body'));
});

test.each(['<!-- no end', '<script>no end', '<textarea>', '<head><title>no end', '<plaintext>'])(
  'a page with %j gets readable marks or is refused',
  (page) => {
    try {
      const references = referencesInPage(mark(page, all)).references.map(formatReference);
      expect(references).toEqual([reference]);
      expect(serialize(parse(mark(page, all)))).toContain('<a class="attestation-badge"');
    } catch (error) {
      expect(String(error)).toContain('the HTML is broken');
    }
  },
);

/** Whether the characters of a text appear in a longer one, in order. */
function isSubsequence(text: string, longer: string): boolean {
  let at = 0;
  for (const character of longer) if (character === text[at]) at++;
  return at === text.length;
}

const some = (...texts: readonly string[]) => fc.constantFrom(...texts);
const any = (texts: string) => some(...texts.split('|'));
const words = fc.oneof(
  any('A text.|&amp;|&|é|\u00e2\u0080\u00a6|<br>|<p>A|</p>|<!-- c -->|<!-- <head> -->|<b>|</i>'),
  any('<svg><script></script></svg>|<template><article></article></template>|<a href=x>y</a>'),
  fc.string({ unit: 'binary-ascii', maxLength: 5 }).map((text) => text.replaceAll(/[<>&]/g, '.')),
);
const object = fc.record(
  {
    ...{ '@type': any('NewsArticle|Article|WebSite|Person'), headline: fc.string(), n: fc.double() },
    identifier: fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 2 })),
  },
  { requiredKeys: [] },
);
const objects = fc.array(object, { maxLength: 3 });
const block = fc
  .tuple(fc.oneof(object, objects, fc.record({ '@graph': objects })), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent).replaceAll('<', '\\u003c'))
  .map((json) => `<script type="application/ld+json">${Buffer.from(json).toString('latin1')}</script>`);
const inHead = some('<title>A</title>', '<meta charset=utf-8>', '<link rel=x>', '<script>1<2</script>');
const page = fc
  .tuple(
    some('', '<!doctype html>', '<!DOCTYPE html>\r\n'),
    some('', '<head>', '<html><head>', '<html>'),
    fc.array(fc.oneof(block, inHead), { maxLength: 4 }),
    some('', '</head>'),
    some('', '<body>', '<body><article>', '<main>', '<article>'),
    fc.array(fc.oneof(words, block), { maxLength: 6 }),
    some('', '</body>', '</article></body>', '</main>'),
    some('', ' ', '\n', '\r\n', '\t'),
  )
  .map(([doctype, open, inner, close, start, body, end, space]) =>
    [doctype, open, ...inner, close, start, ...body, end].join(space),
  );
const manyMarks = fc.constantFrom(base, all, { ...all, correction: 'https://example.org/2' });

test('for any page, the reference can be read back, the source is kept, and marking is idempotent', () => {
  const property = fc.property(page, manyMarks, (source, marks) => {
    const marked = markPage(source, marks);
    expect(referencesInPage(marked).references.map(formatReference)).toEqual([reference]);
    expect(isSubsequence(source, marked)).toBe(true);
    expect(markPage(marked, marks)).toBe(marked);
    expect(markPage(marked, { ...marks, reference: other })).toBe(marked.replaceAll(reference, other));
  });
  fc.assert(property, { numRuns: 2000 });
});
