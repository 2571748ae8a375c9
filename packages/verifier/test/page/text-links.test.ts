import { expect, test } from 'vitest';
import { textLinksOfPage } from '../../src/verifier.ts';

const link = (href: string, more = 'title="Attested text"') =>
  `<link rel="alternate" type="text/plain" ${more} href="${href}" />`;
const page = 'https://example.org/news/bridge/';

test.each([
  ['article.txt', 'https://example.org/news/bridge/article.txt', 'article.txt'],
  [
    'texts/an%20article.txt?v=2#top',
    'https://example.org/news/bridge/texts/an%20article.txt?v=2',
    'texts/an article.txt',
  ],
  ['/texts/1.txt', 'https://example.org/texts/1.txt', undefined],
  ['../1.txt', 'https://example.org/news/1.txt', undefined],
  ['a/../../1.txt', 'https://example.org/news/1.txt', undefined],
  ['%2e%2e/1.txt', 'https://example.org/news/1.txt', undefined],
  ['..%2f1.txt', 'https://example.org/news/bridge/..%2f1.txt', undefined],
  ['//cdn.example.org/1.txt', 'https://cdn.example.org/1.txt', undefined],
  ['https://example.org/?cid=bafk&amp;b=&#x26;', 'https://example.org/?cid=bafk&b=&', undefined],
  ['?text', 'https://example.org/news/bridge/?text', undefined],
  ['#text', 'https://example.org/news/bridge/', undefined],
])('a link to %s has the URL %s and the path %s', (href, url, path) => {
  expect(textLinksOfPage(link(href), page)).toMatchObject([{ url, path }]);
});

test('a relative link has no URL without the URL of the page', () => {
  expect(textLinksOfPage(link('article.txt'))).toEqual([
    { href: 'article.txt', url: undefined, path: 'article.txt' },
  ]);
});

test.each([
  ['the canonical URL of the page', `<link rel="canonical" href="${page}">`, undefined],
  ["the page's URL, not the canonical one", '<link rel="canonical" href="https://elsewhere.example/">', page],
])('`textLinksOfPage` resolves a link relative to %s', (_, canonical, pageUrl) => {
  expect(textLinksOfPage(`${canonical}${link('1.txt')}`, pageUrl)[0]?.url).toBe(`${page}1.txt`);
});

test.each([
  ['/canonical/', undefined],
  ['file:///etc/', undefined],
])('`textLinksOfPage` ignores the canonical URL %s', (href, url) => {
  expect(textLinksOfPage(`<link rel="canonical" href="${href}">${link('1.txt')}`)[0]?.url).toBe(url);
});

test.each([
  ['<base href="https://cdn.example.org/a/">', undefined, 'https://cdn.example.org/a/1.txt', undefined],
  ['<base href="texts/">', page, `${page}texts/1.txt`, 'texts/1.txt'],
  ['<base href="texts/">', undefined, undefined, 'texts/1.txt'],
  ['<base href="/texts/">', page, 'https://example.org/texts/1.txt', undefined],
  ['<base href=" "><base href="texts/">', page, `${page}1.txt`, '1.txt'],
  [
    '<base target="_blank"><base href="../"><base href="no/">',
    page,
    'https://example.org/news/1.txt',
    undefined,
  ],
])('`textLinksOfPage` resolves a link relative to %s', (base, pageUrl, url, path) => {
  expect(textLinksOfPage(`${base}${link('1.txt')}`, pageUrl)).toMatchObject([{ url, path }]);
});

const forbiddenLinks = `http://example.org/1.txt https://example.org:8443/1.txt https://me:secret@example.org/1.txt
  https://127.0.0.1/1.txt https://[::1]/1.txt https://0x7f.1/ https://localhost/ https://router/ https://10.0.0.1./
  file:///etc/passwd data:text/plain,text javascript:alert(1) https://`;

test.each(forbiddenLinks.split(/\s+/))('a link to %s has neither URL nor path', (href) => {
  expect(textLinksOfPage(link(href), page)).toEqual([{ href, url: undefined, path: undefined }]);
});

test('`textLinksOfPage` returns the links titled "Attested text", or, without one, all links to plain text', () => {
  const others = `${link('a.txt', '')}${link('b.txt', 'title="Notes"')}${link('a.txt', '')}`;
  const hrefs = (html: string) => textLinksOfPage(html).map(({ href }) => href);
  expect(hrefs(others)).toEqual(['a.txt', 'b.txt']);
  expect(hrefs(`${others}${link('c.txt')}`)).toEqual(['c.txt']);
  expect(hrefs(`<LINK HREF=' d.txt ' TYPE="Text/Plain; charset=utf-8" REL="nofollow Alternate">`)).toEqual([
    'd.txt',
  ]);
});

test.each([
  ['<!-->', '<!-->'],
  ['<!--->', '<!--->'],
  ['--!>', '<!-- a --!>'],
])('`textLinksOfPage` finds the link after a comment that ends with %s', (_, comment) => {
  expect(textLinksOfPage(`${comment}${link('1.txt')}<!-- -->`)).toHaveLength(1);
});

test.each([
  ['a nested template', '<template><template></template></template>'],
  ['only the end of a template', '</template>'],
  ['a text area whose end tag has an attribute', '<textarea></textarea\ta>'],
])('`textLinksOfPage` finds the link after %s', (_, before) => {
  expect(textLinksOfPage(`${before}${link('1.txt')}`)).toHaveLength(1);
});

test.each([
  ['of another type', '<link rel="alternate" type="application/rss+xml" href="1">'],
  ['of another relation', '<link rel="stylesheet" type="text/plain" href="1">'],
  ['without an address', '<link rel="alternate" type="text/plain" href=" ">'],
  ['in a comment', `<!-- ${link('1.txt')} -->`],
  ...['script', 'style', 'title', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map((name) => [
    `in an element ${name}`,
    `<${name}>'${link('1.txt')}'</${name.toUpperCase()} >`,
  ]),
  ['in an attribute', `<p title='${link('1.txt')}'>`],
  ['in a template', `<template>${link('1.txt')}</template>`],
  ['after a template in a template', `<template><template></template>${link('1.txt')}</template>`],
  ['after a script in a template', `<template><script></template></script>${link('1.txt')}</template>`],
  ['in a text area, after a tag like its end tag', `<textarea></textareax>${link('1.txt')}</textarea>`],
  ['in a comment that begins like a short one', `<!--!>${link('1.txt')}-->`],
])('`textLinksOfPage` ignores a link %s, and finds the next one', (_, html) => {
  expect(textLinksOfPage(`${html}${link('2.txt')}`).map(({ href }) => href)).toEqual(['2.txt']);
});
