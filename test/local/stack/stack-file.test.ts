import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it, test } from 'vitest';
import { emulatorApiUrl } from '../../../lib/emulators.ts';
import { checkout } from '../../../local/checkout.ts';
import { readArticle } from '../../../local/stack/read-article.ts';
import {
  readStackFile,
  type StackFile,
  stackFilePath,
  writeStackFile,
} from '../../../local/stack/stack-file.ts';

const directory = mkdtempSync(`${tmpdir()}/imprimatur-stack-`);
afterAll(() => rmSync(directory, { recursive: true }));

describe('stack.json', () => {
  it('is missing before the first stack', () => {
    expect(() => readStackFile(directory)).toThrow('Start one with npm start');
  });

  it('is readable only by its owner, even if the former file was not', () => {
    const file = { apiKey: 'imp_test_key' } as StackFile;
    writeFileSync(stackFilePath(directory), '{}', { mode: 0o644 });
    writeStackFile(directory, file);
    expect(statSync(stackFilePath(directory)).mode & 0o777).toBe(0o600);
    expect(readStackFile(directory)).toEqual(file);
  });
});

test("the API's URL on an emulator has the API's ID in its path", () => {
  const apiUrl = 'https://abc123.execute-api.us-east-1.amazonaws.com/live';
  expect(emulatorApiUrl('http://127.0.0.1:4566', apiUrl)).toBe(
    'http://127.0.0.1:4566/restapis/abc123/live/_user_request_',
  );
});

describe('readArticle', () => {
  function file(name: string, bytes: Buffer | string): string {
    writeFileSync(`${directory}/${name}`, bytes);
    return `${directory}/${name}`;
  }

  it('keeps byte order marks, line endings and Unicode forms unchanged', () => {
    const text = '\uFEFFone\r\ntwo\n\u00e9 e\u0301 \u0000 😀 ';
    expect(readArticle(file('exact.txt', text))).toBe(text);
  });

  it('accepts a file of 1,048,576 bytes, and the article in the repository', () => {
    expect(readArticle(file('largest.txt', 'a'.repeat(1_048_576)))).toHaveLength(1_048_576);
    expect(readArticle(`${checkout}/local/articles/lincoln-addresses.txt`)).toContain('public domain');
  });

  it.each([
    ['is missing', () => `${directory}/none.txt`, 'ENOENT'],
    ['is a directory', () => directory, 'EISDIR'],
    ['is empty', () => file('empty.txt', ''), 'has 0 bytes'],
    ['is one byte too large', () => file('large.txt', 'a'.repeat(1_048_577)), 'has 1,048,577 bytes'],
    ['is not UTF-8', () => file('latin1.txt', Buffer.from('caf\u00e9', 'latin1')), 'as UTF-8 text'],
  ])('rejects a file that %s, and names it', (_, path, reason) => {
    expect(() => readArticle(path())).toThrow(reason);
    expect(() => readArticle(path())).toThrow(path());
  });
});
