import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { checkout } from '../../../local/checkout.ts';
import { ArticleUnusableError, readArticle } from '../../../local/stack/read-article.ts';
import { refusal } from '../refusal.ts';

const directory = mkdtempSync(`${tmpdir()}/imprimatur-article-`);
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, bytes: Buffer | string): string {
  writeFileSync(`${directory}/${name}`, bytes);
  return `${directory}/${name}`;
}

describe('readArticle', () => {
  it('keeps a byte order mark, line ends and composed and decomposed characters as they are', () => {
    const text = '\uFEFFone\r\ntwo\n\u00e9 e\u0301 \u0000 😀 ';
    expect(readArticle(file('exact.txt', text))).toBe(text);
  });

  it('takes exactly 1,048,576 bytes', () => {
    expect(readArticle(file('largest.txt', 'a'.repeat(1_048_576)))).toHaveLength(1_048_576);
  });

  it('reads the article of several KB that the repository has', () => {
    const text = readArticle(`${checkout}/local/articles/lincoln-addresses.txt`);
    expect(Buffer.byteLength(text)).toBeGreaterThan(4000);
    expect(text).toContain('public domain');
  });

  it.each([
    ['is missing', () => `${directory}/none.txt`, 'there is no such file'],
    ['is a directory', () => directory, 'it is a directory'],
    ['is empty', () => file('empty.txt', ''), 'there is nothing to attest'],
    [
      'is one byte too large',
      () => file('large.txt', 'a'.repeat(1_048_577)),
      '1,048,577 bytes: at most 1,048,576',
    ],
    ['is not UTF-8', () => file('latin1.txt', Buffer.from('caf\u00e9', 'latin1')), 'is not UTF-8 text'],
    ['ends amid a character', () => file('cut.txt', Buffer.from('é').subarray(0, 1)), 'is not UTF-8 text'],
  ])('refuses in one line a file that %s', (_, path, reason) => {
    const name = path();
    const message = refusal(() => readArticle(name), ArticleUnusableError);
    expect(message).toContain(reason);
    expect(message).toContain(name);
  });
});
