import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { parseAuthorities } from 'imprimatur-verifier';
import type { PublicNetwork } from 'imprimatur-verifier/network';
import { describe, expect, test } from 'vitest';
import { serve } from '../../../client/test/fake-api.ts';
import { fetchAuthorities, fetchText, ResponseUnreadableError } from '../../src/domain/fetch.ts';
import { networkTo } from './site.ts';

const { signal } = new AbortController();
const path = '/.well-known/attestation-authorities.json';
const url = 'https://example.org/texts/1.txt?v=2';

type Listener = (response: ServerResponse, request: IncomingMessage) => void;
type Names = Readonly<Record<string, readonly string[]>>;

/** Fetches from hosts that answer like this. @returns the answer or the error message, and the requests */
async function read<Answer>(
  fetch: (network: PublicNetwork) => Promise<Answer>,
  listener: Listener,
  names?: Names,
  timeoutMilliseconds = 10_000,
) {
  const received: string[] = [];
  let headers: string[] = [];
  const port = await serve((request, response) => {
    received.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    headers = Object.keys(request.headers).sort();
    listener(response, request);
  });
  const { network, resolved } = networkTo(port, names);
  const answer = await fetch({ ...network, timeoutMilliseconds }).catch((error: unknown) => {
    if (error instanceof ResponseUnreadableError) return error.message;
    throw error;
  });
  return { answer, received, resolved, headers };
}

const readText = (listener: Listener, names?: Names, timeoutMilliseconds?: number) =>
  read((network) => fetchText(url, 100, signal, network), listener, names, timeoutMilliseconds);

const readFile = (listener: Listener, names?: Names) =>
  read(
    async (network) => {
      const bytes = await fetchAuthorities('example.org', signal, network);
      return bytes && new TextDecoder().decode(bytes);
    },
    listener,
    names,
  );

const redirectTo = (location: string) => (response: ServerResponse, request: IncomingMessage) => {
  if (request.headers.host?.startsWith('www.')) response.end('the file');
  else response.writeHead(301, { location }).end();
};

function writeForever(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '.repeat(10_000)), 1);
  response.on('close', () => clearInterval(timer));
}

describe('fetchAuthorities', () => {
  test('reads the file of the domain, and sends nothing about the reader', async () => {
    const { answer, received, headers } = await readFile((response) => response.end('the file'));
    expect({ answer, received }).toEqual({ answer: 'the file', received: [`example.org${path}`] });
    expect(headers).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });

  test.each([404, 410])('returns undefined for HTTP %i', async (status) => {
    expect((await readFile((response) => response.writeHead(status).end('<html>'))).answer).toBeUndefined();
  });

  test.each([204, 304, 403, 500])('fails for HTTP %i', async (status) => {
    const { answer } = await readFile((response) => response.writeHead(status).end());
    expect(answer).toBe(`returned HTTP ${status}`);
  });

  test.each(['https://www.example.org/authorities.json', '//www.example.org/x'])(
    'follows a redirect to %s, and resolves its host with the same check',
    async (location) => {
      const { answer, resolved } = await readFile(redirectTo(location));
      expect(answer).toBe('the file');
      expect(resolved).toEqual(['example.org', 'www.example.org']);
    },
  );

  test.each([
    ...['http://www.example.org/', 'https://127.0.0.1/', 'https://www.example.org:8443/', 'https://'],
  ])('does not follow a redirect to %j', async (location) => {
    const { answer, received } = await readFile(redirectTo(location));
    expect(answer).toBe('is redirected to a URL that is not allowed');
    expect(received).toHaveLength(1);
  });

  test('follows at most three redirects, and none to a private address', async () => {
    const { answer, received } = await readFile(redirectTo('/again'));
    expect(answer).toBe('has too many redirects');
    expect(received).toHaveLength(4);
    const names = { 'www.example.org': ['10.0.0.1'] };
    const inside = await readFile(redirectTo('https://www.example.org/'), names);
    expect(inside).toMatchObject({ answer: 'has an address that is not public', received: { length: 1 } });
  });

  test('stops reading an endless file', async () => {
    const { answer } = await readFile(writeForever);
    expect(() => parseAuthorities(String(answer))).toThrow('longer than 65536 bytes');
  });
});

describe('fetchText', () => {
  test('returns the unchanged bytes from the checked address', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0x0d, 0x0a, 0xff]);
    const { answer, received, resolved } = await readText((response) => response.end(bytes));
    expect(answer).toEqual({ bytes, isWebPage: false });
    expect([...received, ...resolved]).toEqual(['example.org/texts/1.txt?v=2', 'example.org']);
  });

  test.each([
    ['text/html; charset=utf-8', true],
    ['text/plain', false],
  ])('reports a web page for the type %s: %s', async (type, isWebPage) => {
    const { answer } = await readText((response) =>
      response.writeHead(200, { 'content-type': type }).end('a'),
    );
    expect(answer).toMatchObject({ isWebPage });
  });

  test.each([204, 206, 404, 503])('fails for HTTP %i', async (status) => {
    const { answer } = await readText((response) => response.writeHead(status).end('Not here.'));
    expect(answer).toBe(`returned HTTP ${status}`);
  });

  test('does not follow redirects', async () => {
    const { answer, received } = await readText(redirectTo('https://example.org/elsewhere.txt'));
    expect(answer).toBe('is redirected; redirects are not followed');
    expect(received).toHaveLength(1);
  });

  test('accepts the maximum length, and refuses more', async () => {
    const longest = 'a'.repeat(100);
    expect((await readText((response) => response.end(longest))).answer).toMatchObject({
      bytes: Buffer.from(longest),
    });
    for (const listener of [(response: ServerResponse) => response.end(`${longest}a`), writeForever])
      expect((await readText(listener)).answer).toBe('is longer than the maximum of 100 bytes');
  });

  test('refuses a compressed text', async () => {
    const { answer } = await readText((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a')),
    );
    expect(answer).toBe('is compressed, although the request did not allow that');
  });
});

test.each([
  ['a private address', ['10.0.0.1']],
  ['a private address beside a public one', ['127.0.0.1', '192.168.1.1']],
])('a name that resolves to %s is not contacted', async (_, addresses) => {
  const { answer, received } = await readText((response) => response.end('a'), { 'example.org': addresses });
  expect({ answer, received }).toEqual({ answer: 'has an address that is not public', received: [] });
});

test.each([
  ['does not answer', () => {}],
  ['never ends its answer', (response: ServerResponse) => void response.write('a')],
])('fetching from a host that %s fails after the time limit', async (_, listener) => {
  expect((await readText(listener, {}, 200)).answer).toMatch(/^(could not be reached|is incomplete)$/);
});

test.each<[string, Listener, string]>([
  [
    'is incomplete',
    (response) => {
      response.writeHead(200, { 'content-length': '50' }).write('a');
      setImmediate(() => response.destroy());
    },
    'is incomplete',
  ],
  [
    'upgrades the connection',
    (response) =>
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n'),
    'could not be reached',
  ],
])('a host that %s leads to an error', async (_, listener, message) => {
  expect((await readText(listener)).answer).toBe(message);
});
