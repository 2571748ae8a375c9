import { expect, it } from 'vitest';
import { fakeApi } from '../../../client/test/fake-api.ts';
import { file, run } from '../run.ts';

it.each<[string, Uint8Array, string]>([
  ['Latin-1', Buffer.from('na\u00efve', 'latin1'), '2'],
  ['a character cut off', Buffer.from('a 🖋').subarray(0, 5), '2'],
  ['UTF-16', Buffer.from('\ufeffabc', 'utf16le'), '0'],
  [
    'one bad byte after much text',
    Buffer.concat([Buffer.from('é'.repeat(9000)), Buffer.of(0xff, 0x41)]),
    '18,000',
  ],
  ['a surrogate', Buffer.from([0x41, 0xed, 0xa0, 0x80]), '1'],
])('refuses %s, naming the byte', async (_, bytes, offset) => {
  const api = await fakeApi('hang up');
  const path = file(bytes);
  const advice = 'convert it first, for instance with iconv';
  expect(await run(api, ['attest', path])).toEqual({
    exitCode: 2,
    out: '',
    error: `imprimatur: ${path} is not UTF-8 text from byte ${offset} on: ${advice}\n`,
  });
  expect(api.received).toEqual([]);
});

it('refuses what is too little and too much', async () => {
  const api = await fakeApi([202, { id: 'x', status: 'pending' }]);
  const empty = await run(api, ['attest', '-']);
  expect(empty).toMatchObject({
    exitCode: 2,
    error: 'imprimatur: standard input is empty: there is nothing to attest\n',
  });
  const long = await run(api, ['attest', '-'], { readInput: async () => Buffer.alloc(1_048_577, 'a') });
  expect(long).toMatchObject({
    exitCode: 2,
    error: 'imprimatur: standard input has 1,048,577 bytes: at most 1,048,576 can be attested\n',
  });
  expect(api.received).toEqual([]);
  const most = await run(api, ['attest', '-'], { readInput: async () => Buffer.alloc(1_048_576, 'a') });
  expect(most.exitCode).toBe(0);
});

it('says why a file cannot be read', async () => {
  const api = await fakeApi('hang up');
  const missing = await run(api, ['attest', '/nowhere/article.md']);
  expect(missing).toMatchObject({
    exitCode: 2,
    error: 'imprimatur: cannot read /nowhere/article.md: there is no such file\n',
  });
  const directory = await run(api, ['quote', '/tmp', 'a passage']);
  expect(directory).toMatchObject({
    exitCode: 2,
    error: 'imprimatur: cannot read /tmp: it is a directory\n',
  });
});

it.each(['[]', 'null', '"a"', '{', ''])('refuses the metadata %j', async (text) => {
  const api = await fakeApi('hang up');
  const path = file(text);
  expect(await run(api, ['attest', file('a'), '--metadata', path])).toEqual({
    exitCode: 2,
    out: '',
    error: `imprimatur: ${path} must be one JSON object\n`,
  });
  expect(api.received).toEqual([]);
});
