import { readFileSync } from 'node:fs';
import { formatReference } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { proofOf, referenceTo } from '../../../verifier/test/quote/quotable.ts';
import { directoryWith, expectError, file, runWithoutService } from '../run.ts';

const reference = formatReference(referenceTo('A text.\n'));
const html = (argv: readonly string[], more: Parameters<typeof runWithoutService>[1] = {}) =>
  runWithoutService(['html', ...argv], more);
const page = '<!doctype html>\r\n<title>A</title>\r\n<article>A text.</article>';

test('html prints the otherwise unchanged page with marks, from the proof file beside it', async () => {
  const at = directoryWith({ 'article.html': page, 'article.proof.json': proofOf('A text.\n') });
  const { exitCode, out, error } = await html([at('article.html'), '--text', 'https://example.org/1.txt']);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(out).toMatch(
    /^<!doctype html>\r\n<title>A<\/title><script.*<\/script>\n<link .*>\n\r\n<article>A text\.<\/article>$/,
  );
  expect(out).toContain(reference);
});

test('html overwrites the page with --out, and reports missing marks with --check', async () => {
  const path = directoryWith({ 'article.html': page })('article.html');
  const marks = ['--text', 'article.txt', '--reader', 'https://reader.example/#x'];
  const argv = [path, '--reference', reference, ...marks];
  expect((await html([...argv, '--check'])).exitCode).toBe(1);
  expect(readFileSync(path, 'utf8')).toBe(page);
  expect((await html([...argv, '--out', path])).out).toBe(`wrote ${path}\n`);
  expect(readFileSync(path, 'utf8')).toContain(`href="https://reader.example/#${reference}"`);
  expect((await html([...argv, '--check'])).exitCode).toBe(0);
  expect((await html([...argv, '--out', path])).out).toBe(`wrote ${path}, without changes\n`);
  const { out } = await html([...argv, '--check', '--json']);
  expect(JSON.parse(out)).toEqual({ reference, changed: false, page: null });
});

test('html keeps all bytes of a page, even those that are not UTF-8', async () => {
  const bytes = Buffer.from('\xef\xbb\xbf<title>\xe9\xff\x80\xc3</title>', 'latin1');
  const out = directoryWith({})('out.html');
  await html([file(bytes), '--reference', reference, '--out', out]);
  const marked = readFileSync(out);
  expect(marked.subarray(0, bytes.length)).toEqual(bytes);
  expect(marked.subarray(bytes.length).toString()).toMatch(/^<script [ -~\n]*$/);
});

test.each([
  [[], '', 'links to no exact text'],
  [['--text', 'a.txt'], '', 'does not lead to the text'],
  [['--text', 'a.txt'], '<link rel="canonical" href="https://example.org/news/">', ''],
  [[], '<link rel="alternate" type="text/plain" href="https://example.org/a.txt">', ''],
  [
    [],
    ['a', 'b'].map((name) => `<link rel="alternate" type="text/plain" href="${name}">`).join(''),
    'several texts',
  ],
])(
  'html with %j and the head %j reports a reason only if readers cannot find the text',
  async (argv, head, words) => {
    const path = file(`<title>A</title>${head}<article>A text.</article>`);
    const { exitCode, error } = await html([path, '--reference', reference, ...argv]);
    expect(exitCode).toBe(0);
    expect(error === '').toBe(words === '');
    expect(error).toContain(words);
  },
);

test('html reads a page from stdin', async () => {
  const readInput = async () => new TextEncoder().encode(page);
  expect((await html(['-', '--reference', reference], { readInput })).out).toContain(reference);
  expect((await html(['-'], { readInput })).error).toContain('--reference or --proof');
});

test('html refuses a page in UTF-16', async () => {
  const readInput = async () => Buffer.from('\ufeff<p>A</p>', 'utf16le');
  await expectError(html(['-', '--reference', reference], { readInput }), 2, 'convert it to UTF-8');
});

test('html omits the attribute for public tools unless the public registry has the attestation', async () => {
  const publicReference = reference.replace(/0x[^/]+/, '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381');
  const path = directoryWith({ 'article.html': page })('article.html');
  expect((await html([path, '--reference', publicReference])).out).toContain('<article data-indelible=');
  expect((await html([path, '--reference', reference])).out).not.toContain('indelible');
});

test.each([
  [['article.html'], 'no such file'],
  [['nowhere.html', '--reference', reference], 'no such file'],
  [['article.html', '--reference', 'eip155:1'], 'a reference is'],
  [['open.html', '--reference', reference], 'verifiers cannot read'],
  [['article.html', '--reference', reference, '--reader', 'javascript:alert(1)'], 'http or https'],
  [['article.html', '--reference', reference, '--out', 'x', '--check'], 'cannot be used with'],
])('html exits with 2 for %j', async (argv, words) => {
  const at = directoryWith({
    ...{ 'article.html': page },
    'open.html': '<svg><script/></svg><script type="application/ld+json">{"@type":"Article"}</script>',
  });
  await expectError(html(argv.map((one) => (one.endsWith('.html') ? at(one) : one))), 2, words);
});
