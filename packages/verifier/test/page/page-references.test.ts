import { expect, test } from 'vitest';
import { formatReference, referencesInPage } from '../../src/verifier.ts';

const registry = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
const authority = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const cid = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
const line = (index: number) => `eip155:8453:${registry}/${index}/${authority}/${cid}`;

const identifier = (value: unknown) => ({ '@type': 'PropertyValue', propertyID: 'attestation', value });
const article = (value: unknown) => ({ '@type': 'NewsArticle', identifier: identifier(value) });
const script = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const page = (...parts: string[]) =>
  `<!doctype html><html><head><title>News</title>${parts.join('\n')}</head><body><p>1 < 2</p></body></html>`;

/** The indices of the references in a page, and the number of problems. */
function summaryOf(html: string) {
  const { references, problems } = referencesInPage(html);
  return { indices: references.map(({ attestationIndex }) => attestationIndex), problems: problems.length };
}

test('`referencesInPage` reads the documented JSON-LD', () => {
  const html = `<script type="application/ld+json">{ "@context": "https://schema.org", "@type": "NewsArticle",
  "identifier": { "@type": "PropertyValue", "propertyID": "attestation", "value": "${line(7)}" } }</script>
<link rel="alternate" type="text/plain" href="article.txt">`;
  expect(referencesInPage(html).references.map(formatReference)).toEqual([line(7)]);
});

test('`referencesInPage` returns each reference once, in the order of the page', () => {
  const lists = {
    '@graph': [article(line(2)), { identifier: ['isbn', identifier(line(3)), identifier(line(1))] }],
  };
  const html = page(
    script(article(line(1))),
    script(lists),
    script({ correction: { text: article(line(4)) } }),
  );
  expect(summaryOf(html)).toEqual({ indices: [1, 2, 3, 4], problems: 0 });
});

test.each([
  ['capitals and other attributes', '<SCRIPT nonce="a>b" TYPE=\'application/LD+JSON\' async>', '</SCRIPT >'],
  ['no quotes', '<script type=application/ld+json>', '</script>'],
  ['a character set', '<script type="application/ld+json; charset=utf-8">', '</script>'],
  ['no end', '<script type="application/ld+json">', ''],
  ['an unpaired quotation mark before it', '<p title=it"s a"b\'><script type=application/ld+json>', ''],
])('`referencesInPage` reads a script with %s', (_, start, end) => {
  expect(summaryOf(`<p>${start}${JSON.stringify(article(line(1)))}${end}`)).toEqual({
    indices: [1],
    problems: 0,
  });
});

test.each([
  ['in a comment without end', (mark: string) => `<!-- ${mark}`],
  ['in a script of another type', (mark: string) => mark.replace('ld+json', 'json')],
  ['of another property', (mark: string) => mark.replace('"attestation"', '"isbn"')],
])('`referencesInPage` ignores a reference %s', (_, hide) => {
  expect(summaryOf(page(hide(script(article(line(1))))))).toEqual({ indices: [], problems: 0 });
});

test('`referencesInPage` skips and reports invalid blocks', () => {
  const html = page(
    '<script type="application/ld+json">{,}</script>',
    script(article('eip155:1')),
    script(article(5)),
  );
  const { references, problems } = referencesInPage(`${html}${script(article(line(9)))}`);
  expect(references.map(({ attestationIndex }) => attestationIndex)).toEqual([9]);
  expect(problems).toEqual([
    'a JSON-LD block in the page is not JSON',
    expect.stringContaining('the reference must have a chain ID'),
    'a reference in the page is not a string',
  ]);
});

test.each([
  ['an object that cannot be converted to a string', '{"toString":1}'],
  ['nested lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['a list with a reference', JSON.stringify([line(1)])],
])('`referencesInPage` rejects %s as a reference', (_, value) => {
  const mark = `{"identifier":{"propertyID":"attestation","value":${value}}}`;
  const hostile = `<script type="application/ld+json">${mark}</script>`;
  expect(summaryOf(`${hostile}${script(article(line(2)))}`)).toEqual({ indices: [2], problems: 1 });
});

test('`referencesInPage` handles megabytes of open tags, open comments and nesting', () => {
  const depth = 100_000;
  const nested = `<script type="application/ld+json">${'['.repeat(depth)}${']'.repeat(depth)}</script>`;
  for (const html of [
    '<!--'.repeat(500_000),
    '<script '.repeat(200_000),
    '<script "'.repeat(100_000),
    '<a b="'.repeat(500_000),
    "<a b='".repeat(500_000),
    '<a '.repeat(1_000_000),
    `<a${' '.repeat(3_000_000)}`,
    `<a b${' '.repeat(3_000_000)}`,
    '<a>'.repeat(1_000_000),
    '<'.repeat(3_000_000),
    '</'.repeat(1_500_000),
    nested,
  ])
    expect(summaryOf(html).indices).toEqual([]);
  const wide = script({ '@graph': Array.from({ length: 200_000 }, () => 0), ...article(line(1)) });
  expect(summaryOf(wide).indices).toEqual([1]);
});
