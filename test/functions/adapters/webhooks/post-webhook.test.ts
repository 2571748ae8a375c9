import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { postWebhook } from '../../../../functions/adapters/webhooks/post-webhook.ts';
import { networkTo } from '../../../../packages/cli/test/domain/site.ts';
import { serve } from '../../../../packages/client/test/fake-api.ts';

const body = '{"type":"attestation.confirmed"}';
const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,abc' };

interface ReceivedRequest {
  readonly line: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Posts to `url`. Its domain resolves to a server on this machine, unless `names` contains other addresses. */
async function post(
  listener: RequestListener,
  { url = 'https://news.example.org/hook?x=1', names = {}, timeoutMilliseconds = 10_000, settings = {} } = {},
) {
  const received: ReceivedRequest[] = [];
  const port = await serve(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const line = `${request.method} ${request.headers.host} ${request.url}`;
    received.push({ line, headers: request.headers, body: Buffer.concat(parts).toString() });
    listener(request, response);
  });
  const { network, resolved } = networkTo(port, names);
  const send = postWebhook(settings, { ...network, timeoutMilliseconds });
  const result = await send({ url: url.replace('PORT', String(port)), headers, body }).then(
    ({ status, retryAfter }) => ({ answer: status, retryAfter }),
    (error: Error) => ({ answer: `${error.name}: ${error.message}`, retryAfter: undefined }),
  );
  return { ...result, received, resolved };
}

const answering = (status: number, text = ''): RequestListener => {
  return (_, response) => response.writeHead(status, { location: 'https://other.example.org/' }).end(text);
};

test('a request has the body and headers, and the status is returned', async () => {
  const { answer, received } = await post(answering(202));
  expect(answer).toBe(202);
  expect(received).toEqual([
    {
      ...{ line: expect.stringMatching(/^POST news\.example\.org(:\d+)? \/hook\?x=1$/), body },
      headers: {
        ...headers,
        ...{ 'content-type': 'application/json', 'content-length': String(body.length) },
        ...{ 'user-agent': 'imprimatur-webhooks/1', host: expect.any(String), connection: 'close' },
      },
    },
  ]);
});

test('the first `Retry-After` of an answer is returned', async () => {
  const retryAfter = async (...values: string[]) =>
    (
      await post((_, response) =>
        response
          .writeHead(
            503,
            values.flatMap((value) => ['Retry-After', value]),
          )
          .end(),
      )
    ).retryAfter;
  expect(await Promise.all([retryAfter('120'), retryAfter('5', '9'), retryAfter()])).toEqual([
    '120',
    '5',
    undefined,
  ]);
});

test.each([301, 308])('a redirect is not followed (%i)', async (status) => {
  const { answer, received, resolved } = await post(answering(status));
  expect([answer, received.length, resolved]).toEqual([status, 1, ['news.example.org']]);
});

const privateAddress = 'ReceiverUnreachableError: the domain resolves to an address that is not public';

test.each([
  ['a private address', ['10.0.0.1']],
  ['a private address mapped into IPv6', ['::ffff:192.168.0.1']],
  ['a private address beside a public one', ['127.0.0.1', '172.16.0.1']],
])('no connection is made to a domain that resolves to %s', async (_, addresses) => {
  const { answer, received } = await post(answering(204), { names: { 'news.example.org': addresses } });
  expect([answer, received]).toEqual([privateAddress, []]);
});

test.each([
  'https://127.0.0.1:PORT/',
  'https://[::1]:PORT/',
  'https://localhost:PORT/',
  'http://127.0.0.1:PORT/',
  'http://news.example.org/',
  'https://me:secret@news.example.org/',
  'not a URL',
])('no request is sent to %s', async (url) => {
  const { answer, received, resolved } = await post(answering(204), { url });
  expect([received, resolved]).toEqual([[], []]);
  expect(answer).toMatch(/^ReceiverUnreachableError: a webhook/);
});

test('http requests are sent only to this machine, and only if the settings of an emulator allow them', async () => {
  const settings = { loopbackWebhooks: true } as const;
  const local = await post(answering(204), { url: 'http://127.0.0.1:PORT/hook', settings });
  expect([local.answer, local.received.length]).toEqual([204, 1]);
  for (const url of ['http://127.0.0.2:PORT/', 'http://10.0.0.1/', 'http://localhost:PORT/']) {
    const { answer, received } = await post(answering(204), { url, settings });
    expect([answer, received]).toEqual([expect.stringContaining('a webhook'), []]);
  }
});

test('a receiver is always contacted over TLS, whatever its port', async () => {
  let requests = 0;
  const port = await serve((_, response) => {
    requests += 1;
    response.end();
  });
  const { resolve, isPublic } = networkTo(port).network;
  const send = postWebhook({}, { resolve, isPublic });
  const url = `https://news.example.org:${port}/`;
  await expect(send({ url, headers, body })).rejects.toThrow(/^not reached: (EPROTO|ERR_SSL_\w+)$/);
  expect(requests).toBe(0);
});

test('a request times out when the answer, its headers or the name resolution does not complete', async () => {
  const late = await post(() => {}, { timeoutMilliseconds: 100 });
  expect(late.answer).toBe('ReceiverUnreachableError: no answer in 0.1 s');
  const dripping: RequestListener = ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x: y\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  };
  expect((await post(dripping, { timeoutMilliseconds: 200 })).answer).toBe(
    'ReceiverUnreachableError: no answer in 0.2 s',
  );
  const { network } = networkTo(1);
  const send = postWebhook({}, { ...network, resolve: () => {}, timeoutMilliseconds: 100 });
  await expect(send({ url: 'https://news.example.org/', headers, body })).rejects.toThrow(
    'no answer in 0.1 s',
  );
});

test('the connection closes before the body of an answer ends', async () => {
  let isClosed = false;
  const endless: RequestListener = (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.on('close', () => {
      clearInterval(timer);
      isClosed = true;
    });
  };
  expect((await post(endless)).answer).toBe(200);
  await expect.poll(() => isClosed).toBe(true);
});

test('a failure is described without the host', async () => {
  const broken: RequestListener = ({ socket }) => socket.destroy();
  expect((await post(broken)).answer).toBe('ReceiverUnreachableError: not reached: ECONNRESET');
  const { network } = networkTo(1);
  const send = postWebhook({}, { ...network, resolve: (_, __, done) => done(new Error('x'), []) });
  await expect(send({ url: 'https://news.example.org/', headers, body })).rejects.toThrow(
    /^not reached: unknown$/,
  );
});
