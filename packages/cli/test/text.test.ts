import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { attestation } from '../../client/test/attestations.ts';
import { fakeApi } from '../../client/test/fake-api.ts';
import { directoryWith, run } from './run.ts';

const nowhere = { url: 'http://127.0.0.1:1', received: [] };
const decomposed = '\ufeffcafe\u0301\r\n\r\n';
const page = '\ufeff<!doctype html><nav>n</nav><article><p>cafe&#x301;</p></article>';

it.each([
  ['a.md', decomposed],
  ['a.txt', decomposed],
  ['a.html', page],
  ['a.HTM', page],
])('makes the exact bytes of %s, alone on standard output, without the service', async (name, content) => {
  const { exitCode, out, error } = await run(nowhere, ['text', directoryWith({ [name]: content })(name)], {
    variables: {},
  });
  expect({ exitCode, out, error }).toEqual({
    ...{ exitCode: 0, error: '' },
    out: Buffer.from('caf\u00e9\n').toString('latin1'),
  });
});

it('takes what it is told to take the file for', async () => {
  const at = directoryWith({ 'a.md': '<p>x', 'a.html': '<p>x' });
  expect((await run(nowhere, ['text', at('a.md'), '--from', 'html'])).out).toBe('x\n');
  expect((await run(nowhere, ['text', at('a.html'), '--from', 'markdown'])).out).toBe('<p>x\n');
  const input = { readInput: async () => Buffer.from('<p>x') };
  expect((await run(nowhere, ['text', '-', '--from', 'html'], input)).out).toBe('x\n');
});

it('writes a file, and tells its CID and the profile', async () => {
  const at = directoryWith({ 'a.md': 'hello world' });
  const { out } = await run(nowhere, ['text', at('a.md'), '--out', at('b.txt'), '--json']);
  expect(readFileSync(at('b.txt'), 'utf8')).toBe('hello world\n');
  expect(JSON.parse(out)).toEqual({
    ...{ profile: 'imprimatur-text-1', from: 'markdown', bytes: 12, hidden: [], out: at('b.txt') },
    contentCid: 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4',
  });
});

it('tells what does not show, and keeps it', async () => {
  const { out, error } = await run(nowhere, ['text', directoryWith({ 'a.md': 'a\u2600\ufe0f\n' })('a.md')]);
  expect(Buffer.from(out, 'latin1').toString()).toBe('a\u2600\ufe0f\n');
  expect(error).toBe(
    'imprimatur: U+FE0F, a variation selector, in line 1, character 3: it stays, and copies of the text may lack it\n',
  );
});

it.each([
  ['a.md', '\n\r\n', 'has no text'],
  ['a.html', '<article hidden>a</article>', 'has no text'],
  ['a.md', '\u0958'.repeat(200_000), 'has 1,200,001 bytes: at most 1,048,576 can be attested'],
])('refuses %s, %j', async (name, content, complaint) => {
  const { exitCode, error } = await run(nowhere, ['text', directoryWith({ [name]: content })(name)]);
  expect({ exitCode, error }).toMatchObject({ exitCode: 2, error: expect.stringContaining(complaint) });
});

it('attest --exact-text attests these bytes and names the profile; without it the bytes stay', async () => {
  const at = directoryWith({ 'a.html': page, 'm.json': '{"section":"news"}' });
  const api = await fakeApi([202, attestation()]);
  await run(api, ['attest', at('a.html'), '--exact-text', '--metadata', at('m.json')]);
  await run(api, ['attest', at('a.html')]);
  expect(api.received.map(({ body }) => JSON.parse(body))).toEqual([
    { content: 'caf\u00e9\n', metadata: { section: 'news', textProfile: 'imprimatur-text-1' } },
    { content: page },
  ]);
});
