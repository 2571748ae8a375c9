import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { attestation, fakeApi } from '../../client/test/fake-api.ts';
import { findFiles } from '../src/files/find-files.ts';
import { readList } from '../src/files/read-list.ts';
import { directoryWith, expectError, file, run, runWithoutService } from './run.ts';

it.each<[string, Uint8Array, string]>([
  ['Latin-1', Buffer.from('na\u00efve', 'latin1'), '2'],
  ['a cut-off character', Buffer.from('a 🖋').subarray(0, 5), '2'],
  ['a late bad byte', Buffer.concat([Buffer.from('é'.repeat(9000)), Buffer.of(0xff, 0x41)]), '18,000'],
  ['a surrogate', Buffer.from([0x41, 0xed, 0xa0, 0x80]), '1'],
])('attest refuses %s and names the byte', async (_, bytes, offset) => {
  const api = await fakeApi('hang up');
  const path = file(bytes);
  const advice = 'convert it first, for example with iconv';
  expect(await run(api, ['attest', path])).toEqual({
    exitCode: 2,
    out: '',
    error: `imprimatur: ${path} is not valid UTF-8 at byte ${offset}; ${advice}\n`,
  });
  expect(api.received).toEqual([]);
});

it('attest refuses content that is empty or too long', async () => {
  const api = await fakeApi([202, { id: 'x', status: 'pending' }]);
  const inputOf = (bytes: number) => ({ readInput: async () => Buffer.alloc(bytes, 'a') });
  await expectError(run(api, ['attest', '-']), 2, 'imprimatur: stdin is empty\n');
  const tooLong = 'stdin has 1,048,577 bytes; the maximum is 1,048,576';
  await expectError(run(api, ['attest', '-'], inputOf(1_048_577)), 2, tooLong);
  expect(api.received).toEqual([]);
  expect((await run(api, ['attest', '-'], inputOf(1_048_576))).exitCode).toBe(0);
});

it.each(['[]', 'null', '{'])('attest refuses the metadata %j', async (text) => {
  const api = await fakeApi('hang up');
  const path = file(text);
  expect(await run(api, ['attest', file('a'), '--metadata', path])).toEqual({
    exitCode: 2,
    out: '',
    error: `imprimatur: ${path} must contain one JSON object\n`,
  });
  expect(api.received).toEqual([]);
});

function listed(name: string, text: string) {
  const path = directoryWith({ [name]: text })(name);
  return readList(path).then((rows) =>
    rows.map(({ path: article, url }) => [article.replace(`${dirname(path)}/`, ''), url]),
  );
}

const [a, b] = ['https://example.org/a', 'https://example.org/b'];

test.each([
  ['list.csv', `url,file\n${a},a.md\n${b},b.md\n`],
  ['list.csv', `\ufefftitle,File,URL\r\n"One, two",a.md,${a}\r\n,b.md,${b}`],
  ['list.csv', `file,url\n"a.md","${a}"\n\n"b.md",${b}\n\n`],
  ['list.jsonl', `{"url":"${a}","file":"a.md"}\n\n{"file":"b.md","url":"${b}","title":"B"}\n`],
  ['list.ndjson', `{"url":"${a}","file":"a.md"}\r\n{"file":"b.md","url":"${b}"}`],
])('%s is read: %j', async (name, text) => {
  expect(await listed(name, text)).toEqual([
    ['a.md', a],
    ['b.md', b],
  ]);
});

test('the url may be missing, and fields may contain quotes and line breaks', async () => {
  expect(await listed('list.csv', 'file,url,title\n"a ""b"".md",,"x\ny"\n')).toEqual([
    ['a "b".md', undefined],
  ]);
  expect(await listed('list.jsonl', '{"file":"a.md","url":null}')).toEqual([['a.md', undefined]]);
});

test.each([
  ['list.csv', 'url\nhttps://a.example/', 'line 1: missing column "file"'],
  ['list.csv', 'file,url\na.md,ftp://a.example/', 'line 2: the url must be an http or https URL'],
  ['list.csv', 'file,title\na.md,"x\ny"\n,z', 'line 4: missing file name'],
  ['list.csv', 'file\na.md\n"b.md', 'line 3: unbalanced'],
  ['list.csv', 'file\na.md\n./a.md', 'a.md is already in line 2'],
  ['list.jsonl', '{"file":"a.md"}\n["b.md"]', 'line 2: must be {"url"'],
  ['list.jsonl', '{"file":"a.md","url":7}', 'line 1: the url must be a string'],
  ['list.jsonl', '{"file":7}', 'line 1: missing file name'],
])('%s is refused with the line number: %j', async (name, text, message) => {
  await expect(listed(name, text)).rejects.toThrow(message);
});

test('paths are relative to the list', async () => {
  const pathTo = directoryWith({ 'list.csv': 'file\nx/a.md\n' });
  expect(await readList(pathTo('list.csv'))).toEqual([
    { path: join(dirname(pathTo('list.csv')), 'x/a.md'), url: undefined },
  ]);
});

const folder = mkdtempSync(join(tmpdir(), 'found-'));
const names = [
  ...['a.md', 'b.txt', 'c.html', 'a.proof.json', 'lock.jsonl', 'lock.jsonl.running', '.draft.md'],
  ...['2025/a.md', '2025/12/b.markdown', '2025/12/[x].md', '2025/12/x.md', 'node_modules/a.md', '.git/a.md'],
];

beforeAll(() => {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
  symlinkSync(folder, join(folder, '2025/loop'));
  symlinkSync(join(folder, 'a.md'), join(folder, 'link.md'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const find = (...named: string[]) =>
  findFiles(
    named.map((name) => join(folder, name)),
    join(folder, 'lock.jsonl'),
  );

test.each([
  ['.', ['2025/12/[x].md', '2025/12/b.markdown', '2025/12/x.md', '2025/a.md', 'a.md', 'b.txt', 'link.md']],
  ['*', ['a.md', 'b.txt', 'c.html', 'link.md']],
  ['*.md', ['a.md', 'link.md']],
  ['**/*.md', ['2025/12/[x].md', '2025/12/x.md', '2025/a.md', 'a.md', 'link.md']],
  ['2025/**', ['2025/12/[x].md', '2025/12/b.markdown', '2025/12/x.md', '2025/a.md']],
  ['20??/*.{md,txt}', ['2025/a.md']],
  ['[!ac-z].*', ['b.txt']],
  ['2025/12/[x].md', ['2025/12/[x].md']],
  ['.draft.*', []],
])('%s finds %j', async (pattern, found) => {
  if (found.length === 0) await expect(find(pattern)).rejects.toThrow('no matching text');
  else expect((await find(pattern)).paths).toEqual(found.map((name) => join(folder, name)));
});

test('`findFiles` counts the other files of a folder, without those that the command wrote', async () => {
  expect((await find('.')).otherFiles).toBe(1);
});

test('a file that is named twice is found once', async () => {
  expect((await find('a.md', './a.md', '*.md')).paths).toHaveLength(2);
});

const textOf = (...argv: string[]) => runWithoutService(['text', ...argv]);
const decomposed = '\ufeffcafe\u0301\r\n\r\n';
const page = '\ufeff<!doctype html><nav>n</nav><article><p>cafe&#x301;</p></article>';

it.each([
  ['a.md', decomposed],
  ['a.txt', decomposed],
  ['a.html', page],
  ['a.HTM', page],
])('text prints only the exact text of %s, without the service', async (name, content) => {
  const out = Buffer.from('caf\u00e9\n').toString('latin1');
  expect(await textOf(directoryWith({ [name]: content })(name))).toEqual({ exitCode: 0, out, error: '' });
});

it('text uses the format in --from', async () => {
  const pathTo = directoryWith({ 'a.md': '<p>x', 'a.html': '<p>x' });
  expect((await textOf(pathTo('a.md'), '--from', 'html')).out).toBe('x\n');
  expect((await textOf(pathTo('a.html'), '--from', 'markdown')).out).toBe('<p>x\n');
  const input = { readInput: async () => Buffer.from('<p>x') };
  expect((await runWithoutService(['text', '-', '--from', 'html'], input)).out).toBe('x\n');
});

it('text writes a file, and prints its CID and the profile', async () => {
  const pathTo = directoryWith({ 'a.md': 'hello world' });
  const { out } = await textOf(pathTo('a.md'), '--out', pathTo('b.txt'), '--json');
  expect(readFileSync(pathTo('b.txt'), 'utf8')).toBe('hello world\n');
  expect(JSON.parse(out)).toEqual({
    ...{ profile: 'imprimatur-text-1', from: 'markdown', bytes: 12, hidden: [], out: pathTo('b.txt') },
    contentCid: 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4',
  });
});

it('text reports invisible characters, and keeps them', async () => {
  const { out, error } = await textOf(directoryWith({ 'a.md': 'a\u2600\ufe0f\n' })('a.md'));
  expect(Buffer.from(out, 'latin1').toString()).toBe('a\u2600\ufe0f\n');
  expect(error).toBe(
    'imprimatur: U+FE0F, a variation selector, in line 1, character 3; it is kept, but copies of the text may lose it\n',
  );
});

it.each([
  ['a.md', '\n\r\n', 'has no text'],
  ['a.html', '<article hidden>a</article>', 'has no text'],
  ['a.md', '\u0958'.repeat(200_000), 'has 1,200,001 bytes'],
])('text refuses %s, %j', async (name, content, message) => {
  await expectError(textOf(directoryWith({ [name]: content })(name)), 2, message);
});

it('`attest --exact-text` attests the exact text and adds its profile; without it, `attest` attests the file unchanged', async () => {
  const pathTo = directoryWith({ 'a.html': page, 'm.json': '{"section":"news"}' });
  const api = await fakeApi([202, attestation()]);
  await run(api, ['attest', pathTo('a.html'), '--exact-text', '--metadata', pathTo('m.json')]);
  await run(api, ['attest', pathTo('a.html')]);
  expect(api.received.map(({ body }) => JSON.parse(body))).toEqual([
    { content: 'caf\u00e9\n', metadata: { section: 'news', textProfile: 'imprimatur-text-1' } },
    { content: page },
  ]);
});
