import { expect, test } from 'vitest';
import { firstUnshown } from '../../../verifier/page/first-unshown.ts';

const text = `# The bridge

It will stay *closed* until spring, says [the council](https://example.org/a_b).

“We knew it,” said one – “and said nothing.”
`;
const head = '<title>The bridge</title><script>var a = "<p>";</script>';
const page = (...paragraphs: string[]) =>
  `<!doctype html>${head}<nav>Home</nav><h1>The bridge</h1><p class="by">By A.</p>${paragraphs.join('')}<p>More.</p>`;
const first = '<p>It will stay <em>clo</em>sed until spring, says <a href="/">the council</a>.</p>';
const second = '<p>&#8220;We knew it,&#8221; said one&nbsp;&ndash; <q>and said nothing.</q></p>';

test('finds the words of a text in a page that shows them, between what else it shows', () => {
  expect(firstUnshown(page(first, '<aside>Advert</aside>', second.replace('&ndash;', '–')), text)).toEqual({
    paragraph: undefined,
    paragraphs: 3,
  });
  expect(
    firstUnshown(page(first, second.replace('&ndash;', '')), text.replaceAll('\n', '\r\n')).paragraph,
  ).toBe(undefined);
});

test.each([
  ['a word more', page(first.replace('stay', 'not stay'), second), 2],
  ['a paragraph less', page(first), 3],
  ['another order', page(second.replace('&ndash;', ''), first), 3],
  ['the words in a comment', page(first, `<!-- ${second} -->`), 3],
  ['the words in an attribute', page(first, '<p title="We knew it said one and said nothing">'), 3],
  ['nothing', '', 1],
])('tells the first paragraph that a page with %s does not show', (_, html, paragraph) => {
  expect(firstUnshown(html, text)).toEqual({ paragraph, paragraphs: 3 });
});

test('letters are the same in each normal form', () => {
  expect(firstUnshown('<p>Caf&#233; e&#x301;t&#233;</p>', 'Cafe\u0301 été').paragraph).toBeUndefined();
});

test('takes hostile pages and texts of megabytes', () => {
  const [many, few] = ['a'.repeat(2_000_000), 'a'.repeat(1_000_000)];
  expect(firstUnshown(many, `${few}b`).paragraph).toBe(1);
  expect(firstUnshown(many, `b${few}`).paragraph).toBe(1);
  expect(firstUnshown(many, 'a\n\n'.repeat(300_000)).paragraph).toBeUndefined();
  expect(firstUnshown('', '\r'.repeat(1_000_000)).paragraphs).toBe(0);
  expect(firstUnshown('', ']('.repeat(500_000)).paragraphs).toBe(0);
});
