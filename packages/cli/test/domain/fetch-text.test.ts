import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { AnswerUnreadError, fetchText } from '../../src/domain/fetch.ts';
import { networkTo, serve } from './site.ts';

const { signal } = new AbortController();
const url = 'https://example.org/texts/1.txt?v=2';

/** What is read of an address whose host answers so, and what the host was asked. */
async function read(
  answer: (response: ServerResponse) => void,
  names?: Readonly<Record<string, readonly string[]>>,
  timeoutMilliseconds = 10_000,
) {
  const received: object[] = [];
  const port = await serve(({ headers, url: path }, response) => {
    received.push({ host: headers.host?.split(':')[0], path, headers: Object.keys(headers).sort() });
    answer(response);
  });
  const { network, resolved } = networkTo(port, names);
  const text = await fetchText(url, 100, signal, { ...network, timeoutMilliseconds }).catch(
    (error: unknown) => {
      if (error instanceof AnswerUnreadError) return error.message;
      throw error;
    },
  );
  return { text, received, resolved };
}

test('reads the bytes as they are, of the address that was checked, and says nothing of the reader', async () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0x0d, 0x0a, 0xff]);
  const { text, received, resolved } = await read((response) => response.end(bytes));
  expect(text).toEqual({ bytes, isWebPage: false });
  expect(received).toEqual([
    {
      ...{ host: 'example.org', path: '/texts/1.txt?v=2' },
      headers: ['accept', 'connection', 'host', 'user-agent'],
    },
  ]);
  expect(resolved).toEqual(['example.org']);
});

test.each([
  ['text/html; charset=utf-8', true],
  ['application/xhtml+xml', true],
  ['text/plain', false],
  ['application/octet-stream', false],
])('takes %s for a web page: %s', async (type, isWebPage) => {
  const { text } = await read((response) => response.writeHead(200, { 'content-type': type }).end('a'));
  expect(text).toMatchObject({ isWebPage });
});

test('takes a connection that is upgraded for no answer', async () => {
  const { text } = await read((response) => {
    response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n');
  });
  expect(text).toBe('could not be reached');
});

test.each([301, 302, 303, 307, 308])('follows no redirect of HTTP %i', async (status) => {
  const { text, received } = await read((response) =>
    response.writeHead(status, { location: 'https://example.org/elsewhere.txt' }).end(),
  );
  expect(text).toBe('is redirected, which is not followed');
  expect(received).toHaveLength(1);
});

test.each([204, 206, 401, 403, 404, 410, 429, 500, 503])('reads nothing of HTTP %i', async (status) => {
  const { text } = await read((response) => response.writeHead(status).end('Not here.'));
  expect(text).toBe(`is answered with HTTP ${status}`);
});

test('reads a text of the greatest length, and stops at the byte after it', async () => {
  expect((await read((response) => response.end('a'.repeat(100)))).text).toMatchObject({
    bytes: Buffer.from('a'.repeat(100)),
  });
  expect((await read((response) => response.end('a'.repeat(101)))).text).toBe(
    'is longer than the 100 bytes that are read',
  );
  const { text } = await read((response) => {
    const timer = setInterval(() => response.write('a'.repeat(50)), 1);
    response.on('close', () => clearInterval(timer));
  });
  expect(text).toBe('is longer than the 100 bytes that are read');
});

test('takes no compressed answer for the text', async () => {
  const { text } = await read((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a')),
  );
  expect(text).toBe('is answered in a compressed form, which was not asked for');
});

test.each([
  ['a private address', ['10.0.0.1']],
  ['this machine', ['::1']],
  ['the address of a cloud’s metadata', ['169.254.169.254']],
  ['a private address beside a public one', ['127.0.0.1', '192.168.1.1']],
])('does not connect to a name that leads to %s', async (_, addresses) => {
  const { text, received } = await read((response) => response.end('a'), { 'example.org': addresses });
  expect({ text, received }).toEqual({ text: 'is at an address that is not public', received: [] });
});

test.each([
  ['before the answer', () => {}],
  ['in it', (response: ServerResponse) => void response.write('a')],
])('waits no longer than the time for it, %s', async (_, begin) => {
  expect((await read(begin, {}, 200)).text).toMatch(/^(could not be reached|breaks off)$/);
});

test('says that a host is not there, or breaks off', async () => {
  const { network } = networkTo(1);
  await expect(fetchText(url, 100, signal, network)).rejects.toThrow('could not be reached');
  const { text } = await read((response) => {
    response.writeHead(200, { 'content-length': '50' }).write('a');
    setImmediate(() => response.destroy());
  });
  expect(text).toBe('breaks off');
});
