import { readFileSync } from 'node:fs';
import { AttestedText, formatReference, parseQuoteProof, type QuoteProof } from 'imprimatur-verifier';
import { parseFragment } from 'parse5';
import { expect, it } from 'vitest';
import { publicQuoteTreeOf, quoteTreeOf } from '../../verifier/src/text/quote-tree.ts';
import { proofOf, referenceTo } from '../../verifier/test/quote/quotable.ts';
import { readPage } from '../src/marks/page.ts';
import { chainWith, directoryWith, expectError, file, runWithoutService } from './run.ts';

const article = `${'The mayor says that the bridge is safe. '.repeat(5)}It was not 😀.\n`;
const reference = formatReference(referenceTo(article));
const uncompared =
  'imprimatur: the quote root was not compared with the registry; to compare it, pass --rpc\n';

const quote = (...argv: string[]) => runWithoutService(['quote', ...argv]);

const proofFile = (text: string, quoteRoot = quoteTreeOf(text).root) =>
  proofOf(text, { content: { quoteRoot } });

it('quote prints the proof, and how much text it reveals', async () => {
  const { exitCode, out, error } = await quote(file(article), 'the bridge is safe', '--reference', reference);
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toEqual(
    new AttestedText(referenceTo(article), article).quote('the bridge is safe'),
  );
  expect(error).toBe(
    `${uncompared}imprimatur: the proof also reveals 28 characters around the quoted words\n`,
  );
});

it('quote accepts one passage with omissions, or several pieces', async () => {
  const path = file(article);
  const pieces = ['mayor', 'safe. It was not'];
  for (const passage of [['mayor … safe. It was not'], pieces]) {
    const { out } = await quote(path, ...passage, '--reference', reference, '--json');
    expect(parseQuoteProof(out).quote.segments.map(({ text }) => text)).toEqual(pieces);
  }
});

it('quote writes the proof to a file', async () => {
  const at = directoryWith({ 'article.md': article });
  const argv = [at('article.md'), 'bridge', '--reference', reference, '--out', at('quote.json')];
  expect(await quote(...argv)).toMatchObject({ exitCode: 0, out: `wrote ${at('quote.json')}\n` });
  expect(parseQuoteProof(readFileSync(at('quote.json'))).root).toBe(quoteTreeOf(article).root);
  const unwritable = await quote(...argv.slice(0, -1), at('nowhere/quote.json'));
  expect(unwritable).toMatchObject({ exitCode: 2, error: expect.stringContaining('cannot write') });
});

it('quote uses the proof file beside the text, or --proof', async () => {
  const at = directoryWith({ 'a.b.md': article, 'a.b.proof.json': proofFile(article), 'other.md': article });
  for (const argv of [[at('a.b.md')], [at('other.md'), '--proof', at('a.b.proof.json')]]) {
    const { exitCode, error } = await quote(...argv, 'It was not');
    expect([exitCode, error.includes('not compared')]).toEqual([0, false]);
  }
});

/** A text whose two quote roots differ. */
const twoRootText = `${'a'.repeat(45)}😀 and what follows`;

it('quote uses the root of the proof file or the chain, and reports a revocation', async () => {
  const { root } = publicQuoteTreeOf(twoRootText);
  const { chain, rpcUrl } = await chainWith(twoRootText, root);
  const at = directoryWith({ 'a.txt': twoRootText, 'a.proof.json': proofFile(twoRootText, root) });
  expect(parseQuoteProof((await quote(at('a.txt'), 'and what follows')).out).root).toBe(root);
  const named = ['--reference', formatReference(referenceTo(twoRootText)), '--rpc', rpcUrl];
  const { out, error } = await quote(at('a.txt'), 'and what', ...named);
  expect(parseQuoteProof(out).root).toBe(root);
  expect(error).not.toContain('not compared');
  chain.change(1, { revokedAt: 1_800_000_100 });
  expect((await quote(at('a.txt'), 'and what', ...named)).error).toContain(
    'readers will not see this as verified: The authority revoked it',
  );
});

it('quote refuses a text with another root on the chain, and a missing attestation', async () => {
  const { rpcUrl } = await chainWith(article, `0x${'1'.repeat(64)}`);
  const at = directoryWith({ 'a.txt': article });
  const argv = [at('a.txt'), 'bridge', '--rpc', rpcUrl, '--reference'];
  await expectError(quote(...argv, reference), 1, 'does not match the text');
  await expectError(quote(...argv, reference.replace('/1/', '/2/')), 1, 'not as attestation 2');
});

it.each([
  ['the passage is not in the text', article, 'not in the text', 'The passage is not in the text.'],
  ['the text differs', `${article}\n`, 'bridge', 'The text is not the attested one. The attested text ends'],
])('quote exits with 1 if %s', async (_, text, passage, message) => {
  await expectError(quote(file(text), passage, '--reference', reference), 1, message);
});

it.each([
  [[], 'pass --reference or --proof'],
  [['--reference', 'eip155:1'], 'reference'],
  [['--reference', reference, '--rpc', 'localhost'], 'an RPC endpoint must be an http or https URL'],
  [['--reference', reference, '--proof', 'a.json'], 'cannot be used with'],
  [['--proof', '/nowhere.json'], 'no such file'],
  [['--proof', 'package.json'], 'is not a valid proof file'],
])('quote exits with 2 and one line for %j', async (options, message) => {
  const path = file(article);
  const { exitCode, out, error } = await quote(path, 'bridge', ...options);
  expect([exitCode, out]).toEqual([2, '']);
  expect(error).toMatch(/^imprimatur: [^\n]+\n$/);
  expect(error).toContain(message);
});

/** The quotes in a page, and the words that it shows for them. */
const quotesIn = (html: string) =>
  readPage(html)
    .elements.filter(({ attributes }) => attributes.has('data-indelible-quote'))
    .map(({ attributes, range }) => {
      const shown = parseFragment(html.slice(range.startTag?.endOffset, range.endTag?.startOffset));
      const [words] = shown.childNodes;
      return {
        proof: JSON.parse(attributes.get('data-indelible-quote') ?? ''),
        words: words && 'value' in words ? words.value.replaceAll(/\s+/g, ' ').trim() : undefined,
      };
    });

const publicRegistry = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';

it.each([
  ['"the bridge" is <safe> & 😀', true],
  ['says … safe', false],
  ['two\nlines', false],
])('--html turns %j into an element that public tools read and verify: %s', async (passage, isShown) => {
  const text = article.replace('the bridge is safe', '"the bridge" is <safe> & 😀 on two\nlines');
  const reference = { ...referenceTo(text), registryAddress: publicRegistry } as const;
  const at = directoryWith({ 'a.md': text });
  const argv = [at('a.md'), passage, '--reference', formatReference(reference), '--html'];
  const { exitCode, out, error } = await quote(...argv);
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^<blockquote [ -~]*<\/blockquote>\n$/);
  const [{ proof, words } = { proof: undefined, words: '?' }, ...others] = quotesIn(out);
  expect(others).toEqual([]);
  expect(new AttestedText(reference, text).quote(passage)).toMatchObject(proof);
  const chunks = proof.proof.map(({ value: [, chunk] }: QuoteProof['proof'][number]) => chunk).join('');
  expect(chunks.includes(words)).toBe(isShown);
  expect(error.includes('public tools will not show')).toBe(!isShown);
  expect((await quote(...argv, '--out', at('quote.html'))).exitCode).toBe(0);
  expect(readFileSync(at('quote.html'), 'utf8')).toBe(out);
});

it('--html is refused for other registries', async () => {
  const argv = [file(article), 'the bridge is safe', '--html', '--reference'];
  await expectError(quote(...argv, reference), 2, '--html works for the public registry only');
});
