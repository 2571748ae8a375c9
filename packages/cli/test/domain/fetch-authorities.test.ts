import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseAuthorities } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { AnswerUnreadError, fetchAuthorities } from '../../src/domain/fetch.ts';
import { networkTo, serve } from './site.ts';

const path = '/.well-known/attestation-authorities.json';
const { signal } = new AbortController();

/** What the domain example.org gives, or the message of the error. */
async function read(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  names?: Readonly<Record<string, readonly string[]>>,
) {
  const received: string[] = [];
  const port = await serve((request, response) => {
    received.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    listener(request, response);
  });
  const { network, resolved } = networkTo(port, names);
  const answer = await fetchAuthorities('example.org', signal, network).catch((error: unknown) => {
    if (error instanceof AnswerUnreadError) return error.message;
    throw error;
  });
  return {
    answer: answer instanceof Uint8Array ? new TextDecoder().decode(answer) : answer,
    received,
    resolved,
  };
}

const redirectTo = (location: string) => (request: IncomingMessage, response: ServerResponse) => {
  if (request.headers.host?.startsWith('www.')) response.end('the file');
  else response.writeHead(301, { location }).end();
};

test('reads the file of the domain, and says nothing of the reader', async () => {
  let headers: string[] = [];
  const { answer, received } = await read((request, response) => {
    headers = Object.keys(request.headers);
    response.end('the file');
  });
  expect({ answer, received }).toEqual({ answer: 'the file', received: [`example.org${path}`] });
  expect(headers.sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
});

test.each([404, 410])('takes HTTP %i for a domain without a file', async (status) => {
  expect((await read((_, response) => response.writeHead(status).end('<html>'))).answer).toBeUndefined();
});

test.each([204, 304, 401, 403, 429, 500])('says nothing of a domain that answers HTTP %i', async (status) => {
  const { answer } = await read((_, response) => response.writeHead(status).end());
  expect(answer).toBe(`is answered with HTTP ${status}`);
});

test.each(['https://www.example.org/authorities.json', '//www.example.org/x'])(
  'follows a redirect to %s, which is resolved like the first',
  async (location) => {
    const { answer, resolved } = await read(redirectTo(location));
    expect({ answer, resolved }).toEqual({
      answer: 'the file',
      resolved: ['example.org', 'www.example.org'],
    });
  },
);

test.each([
  ...[
    'http://www.example.org/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://0x7f.1/',
  ],
  ...['https://www.example.org:8443/', 'https://me@www.example.org/', 'file:///etc/passwd', 'https://'],
])('does not follow a redirect to %j', async (location) => {
  const { answer, received } = await read(redirectTo(location));
  expect(answer).toBe('is redirected to where it is not looked for');
  expect(received).toHaveLength(1);
});

test('gives up after three redirects', async () => {
  const { answer, received } = await read(redirectTo('/again'));
  expect(answer).toBe('is redirected too often');
  expect(received).toHaveLength(4);
});

test.each([
  ['a private address', { 'example.org': ['10.0.0.1'] }],
  ['the address of a cloud’s metadata', { 'example.org': ['169.254.169.254'] }],
  ['a private address beside a public one', { 'example.org': ['127.0.0.1', '192.168.1.1'] }],
  ['a private address in IPv6', { 'example.org': ['::ffff:10.0.0.1'] }],
])('does not connect to a domain that leads to %s', async (_, names) => {
  const { answer, received } = await read((_, response) => response.end('the file'), names);
  expect({ answer, received }).toEqual({ answer: 'is at an address that is not public', received: [] });
});

test('does not connect to a private address behind a redirect', async () => {
  const { answer, received } = await read(redirectTo('https://www.example.org/'), {
    'www.example.org': ['10.0.0.1'],
  });
  expect(answer).toBe('is at an address that is not public');
  expect(received).toHaveLength(1);
});

test('connects to the address that was checked: the name is resolved once', async () => {
  const { resolved } = await read((_, response) => response.end('the file'));
  expect(resolved).toEqual(['example.org']);
});

test('stops reading a file that does not end, and takes it for too long', async () => {
  const { answer } = await read((_, response) => {
    const timer = setInterval(() => response.write(' '.repeat(10_000)), 1);
    response.on('close', () => clearInterval(timer));
  });
  expect(() => parseAuthorities(String(answer))).toThrow('longer than 65536 bytes');
});

test('says nothing of a domain that breaks off, or is not there', async () => {
  const { answer } = await read((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('the');
    setImmediate(() => response.destroy());
  });
  expect(answer).toBe('breaks off');
  const { network } = networkTo(1);
  const nowhere = fetchAuthorities('example.org', signal, network);
  await expect(nowhere).rejects.toThrow('could not be reached');
});

test('waits for no domain longer than the time for it, before the answer or in it', async () => {
  for (const begin of [() => {}, (response: ServerResponse) => response.write('the')]) {
    const port = await serve((_, response) => void begin(response));
    const network = { ...networkTo(port).network, timeoutMilliseconds: 200 };
    const answer = fetchAuthorities('example.org', signal, network);
    await expect(answer).rejects.toThrow(AnswerUnreadError);
  }
});
