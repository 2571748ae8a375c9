import { expect, test } from 'vitest';
import { findMissingParagraph } from '../../src/page/page-verdict.ts';
import { type Verdict, withPageNotices } from '../../src/verifier.ts';

const text = `# The bridge

It will stay *closed* until spring, says [the council](https://example.org/a_b).

“We knew it,” says one – “and did nothing.”
`;
const head = '<title>The bridge</title><script>var a = "<p>";</script>';
const page = (...paragraphs: string[]) =>
  `<!doctype html>${head}<nav>Home</nav><h1>The bridge</h1><p class="by">By A.</p>${paragraphs.join('')}<p>More.</p>`;
const first = '<p>It will stay <em>clo</em>sed until spring, says <a href="/">the council</a>.</p>';
const second = '<p>&#8220;We knew it,&#8221; says one&nbsp;&ndash; <q>and did nothing.</q></p>';

test('`findMissingParagraph` finds the words of a text between other content', () => {
  expect(
    findMissingParagraph(page(first, '<aside>Advert</aside>', second.replace('&ndash;', '–')), text),
  ).toEqual({ paragraph: undefined, paragraphs: 3 });
  expect(
    findMissingParagraph(page(first, second.replace('&ndash;', '')), text.replaceAll('\n', '\r\n')).paragraph,
  ).toBe(undefined);
});

test.each([
  ['an additional word', page(first.replace('stay', 'not stay'), second), 2],
  ['a missing paragraph', page(first), 3],
  ['another order', page(second.replace('&ndash;', ''), first), 3],
  ['the words in a comment', page(first, `<!-- ${second} -->`), 3],
  ['the words in an attribute', page(first, '<p title="We knew it says one and did nothing">'), 3],
  ['no content', '', 1],
])('`findMissingParagraph` returns the first missing paragraph of a page with %s', (_, html, paragraph) => {
  expect(findMissingParagraph(html, text)).toEqual({ paragraph, paragraphs: 3 });
});

test('`findMissingParagraph` compares letters in any normal form', () => {
  expect(
    findMissingParagraph('<p>Caf&#233; e&#x301;t&#233;</p>', 'Cafe\u0301 été').paragraph,
  ).toBeUndefined();
});

test.each([
  ['a decimal point', 'Tax is 15 %.', 'Tax is 1.5 %.'],
  ['a decimal comma', 'Tax is 15 %.', 'Tax is 1,5 %.'],
  ['a sign', 'He earned 5.', 'He earned -5.'],
  ['a true minus', 'He earned 5.', 'He earned −5.'],
  ['a plus', 'It is 5 degrees.', 'It is +5 degrees.'],
  ['a vowel sign', 'का', 'कि'],
  ['an accent', 'pinguino', 'pingu\u0308ino'],
])('`findMissingParagraph` notices a missing character: %s', (_, shown, expected) => {
  expect(findMissingParagraph(`<p>${shown}</p>`, expected).paragraph).toBe(1);
  expect(findMissingParagraph(`<p>${expected}</p>`, expected).paragraph).toBeUndefined();
});

test('`findMissingParagraph` ignores punctuation and list markers beside numbers', () => {
  const html = '<p>It was 2025.</p><p>Then 2026, and 5 – or so.</p><ul><li>5 men</ul>';
  expect(findMissingParagraph(html, 'It was 2025.\n\nThen 2026, and 5 -- or so.\n\n- 5 men').paragraph).toBe(
    undefined,
  );
});

test('`findMissingParagraph` finds no paragraph in a text without letters and digits', () => {
  expect(findMissingParagraph('x', '!!!\n\n—')).toEqual({ paragraph: undefined, paragraphs: 0 });
  const verdict = { text: { isContent: true }, notices: ['It is so.'] } as unknown as Verdict;
  const { notices, pageShowsText } = withPageNotices(verdict, '<p>Send money.</p>', '— !\n');
  expect([notices.slice(1), pageShowsText]).toEqual([['It is so.'], undefined]);
});

test.each([
  ['ligatures', '', '\ufdfa'],
  ['letters with two marks', '', 'a\u0323\u0301'],
  ['marks on one letter', 'a', '\u0301\u0323'],
  ['points', '', '1.'],
])('`findMissingParagraph` handles megabytes of %s', (_, start, piece) => {
  const many = start + piece.repeat(2_000_000);
  expect(findMissingParagraph(many, `${many}b`).paragraph).toBe(1);
});

test('`findMissingParagraph` handles hostile pages and texts of megabytes', () => {
  const [many, few] = ['a'.repeat(2_000_000), 'a'.repeat(1_000_000)];
  expect(findMissingParagraph(`a${' '.repeat(8_000_000)}b`, 'ac').paragraph).toBe(1);
  expect(findMissingParagraph(many, `${few}b`).paragraph).toBe(1);
  expect(findMissingParagraph(many, `b${few}`).paragraph).toBe(1);
  expect(findMissingParagraph(many, 'a\n\n'.repeat(300_000)).paragraph).toBeUndefined();
  expect(findMissingParagraph('', '\r'.repeat(1_000_000)).paragraphs).toBe(0);
  expect(findMissingParagraph('', ']('.repeat(500_000)).paragraphs).toBe(0);
});
