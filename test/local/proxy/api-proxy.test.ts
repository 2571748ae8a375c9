import { once } from 'node:events';
import { createServer, type IncomingMessage, request as open, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commonHeaders } from '../../../functions/api/http/reply.ts';
import { ApiProxy } from '../../../local/proxy/api-proxy.ts';
import { closeServers, listenOnLoopback } from '../../../local/proxy/listen.ts';

/** Opens a proxy to an emulator that answers in this way; both end with the test. */
async function proxyTo(answer: RequestListener) {
  const emulator = createServer(answer);
  await once(emulator.listen(0, '127.0.0.1'), 'listening');
  const { port } = emulator.address() as AddressInfo;
  const proxy = new ApiProxy();
  const url = new URL(await proxy.listen(0));
  proxy.forwardTo(`http://127.0.0.1:${port}/restapis/abc/live/_user_request_`, '/live');
  onTestFinished(async () => {
    await proxy.close();
    emulator.close();
    emulator.closeAllConnections();
  });
  return { url, proxy, emulator, host: `127.0.0.1:${port}` };
}

interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
}

/** Sends one request on its own connection, with unchanged path and headers. */
async function send(url: URL, path: string, { method = 'GET', headers = {}, body }: Sending = {}) {
  const sent = open({ hostname: url.hostname, port: url.port, method, path, headers, agent: false });
  sent.end(body);
  const [head] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of head) parts.push(part);
  const text = Buffer.concat(parts).toString('latin1');
  return { status: head.statusCode, reason: head.statusMessage, headers: head.rawHeaders, text };
}

const overloaded = '{"__type":"TooManyRequestsException","Reason":"ConcurrentInvocationLimitExceeded"}';

test('the proxy forwards path, body and headers unchanged, except Host and hop-by-hop headers, and returns the response unchanged', async () => {
  const answered = ['X-Request-Id', 'a', 'Set-Cookie', 'b=1', 'Set-Cookie', 'c=é', 'Content-Length', '3'];
  const asked: { line: string; headers: string; body: string }[] = [];
  const { url, host } = await proxyTo(async (request, response) => {
    const body = (await buffer(request)).toString('latin1');
    asked.push({ line: `${request.method} ${request.url}`, headers: request.rawHeaders.join(' '), body });
    response.sendDate = false;
    response.writeHead(404, 'No Such Thing', answered).end(Buffer.from('\u00ff\u0000{', 'latin1'));
  });
  const headers = { 'X-A': 'Ä b', 'x-forwarded-for': '10.0.0.1', TE: 'trailers' };
  const body = Buffer.from('{\u00ff', 'latin1');
  const answer = await send(url, '/v1//%2e%2e/a?b=%zz', { method: 'PUT', headers, body });
  expect(asked).toEqual([
    {
      line: 'PUT /restapis/abc/live/_user_request_/v1//%2e%2e/a?b=%zz',
      headers: `Host ${host} X-A Ä b x-forwarded-for 10.0.0.1 Content-Length 2 Connection close`,
      body: '{\u00ff',
    },
  ]);
  expect(answer).toEqual({
    ...{ status: 404, reason: 'No Such Thing', text: '\u00ff\u0000{' },
    headers: [...answered, 'Connection', 'close'],
  });
});

test('the proxy replaces the content type of a form, because LocalStack would parse the body', async () => {
  const { url } = await proxyTo(({ headers }, response) =>
    response.end(`${headers['content-type']} ${headers['x-other']}`),
  );
  const form = 'application/x-www-form-urlencoded';
  const headers = { 'Content-Type': form, 'X-Other': form };
  const answer = await send(url, '/', { method: 'POST', headers, body: Buffer.from('{}') });
  expect(answer.text).toBe(`application/octet-stream ${form}`);
});

test('the proxy accepts paths with the stage prefix', async () => {
  const { url } = await proxyTo((request, response) => response.end(request.url));
  const prefix = '/restapis/abc/live/_user_request_';
  expect((await send(url, '/live/v1/attestations/1?a=/live')).text).toBe(
    `${prefix}/v1/attestations/1?a=/live`,
  );
  expect((await send(url, '/live')).text).toBe(prefix);
  expect((await send(url, '/lively')).text).toBe(`${prefix}/lively`);
});

test('the proxy retries a request that the emulator throttles', async () => {
  const bodies: string[] = [];
  const { url } = await proxyTo(async (request, response) => {
    bodies.push(await text(request));
    if (bodies.length < 3) response.writeHead(429).end(overloaded);
    else response.writeHead(202).end('{}');
  });
  const answer = await send(url, '/v1/attestations', {
    method: 'POST',
    body: Buffer.from('{"content":"a"}'),
  });
  expect(answer.status).toBe(202);
  expect(bodies).toEqual(Array(3).fill('{"content":"a"}'));
});

test("the proxy returns the service's own 429 at once", async () => {
  let asked = 0;
  const { url } = await proxyTo((_, response) => {
    asked += 1;
    response.writeHead(429).end('{"error":"rate limit exceeded"}');
  });
  expect(await send(url, '/v1/chains')).toMatchObject({
    status: 429,
    text: '{"error":"rate limit exceeded"}',
  });
  expect(asked).toBe(1);
});

test('the proxy serves fifty clients with at most eight concurrent requests', async () => {
  let concurrent = 0;
  let most = 0;
  const full = Promise.withResolvers<void>();
  const { url } = await proxyTo(async (_, response) => {
    concurrent += 1;
    most = Math.max(most, concurrent);
    if (concurrent === 8) full.resolve();
    await full.promise;
    await pause(50);
    concurrent -= 1;
    response.end();
  });
  const clients = Array.from({ length: 50 }, () => Promise.all([send(url, '/a'), send(url, '/b')]));
  const statuses = (await Promise.all(clients)).flat().map(({ status }) => status);
  expect(statuses).toEqual(Array(100).fill(200));
  expect(most).toBe(8);
});

test('the proxy rejects requests beyond its queue, with the error shape of the service', async () => {
  const release = Promise.withResolvers<void>();
  const { url } = await proxyTo(async (_, response) => {
    await release.promise;
    response.end();
  });
  const refused: Awaited<ReturnType<typeof send>>[] = [];
  const one = async () => {
    const answer = await send(url, '/a');
    if (answer.status !== 200) refused.push(answer);
    // The proxy refuses all requests beyond 8 concurrent and 512 waiting ones.
    if (refused.length === 3) release.resolve();
  };
  await Promise.all(Array.from({ length: 8 + 512 + 3 }, one));
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ status: 429, text: '{"error":"rate limit exceeded"}' });
  expect(refused[0]?.headers).toEqual(expect.arrayContaining(['Retry-After', '1', 'x-request-id']));
});

test('the proxy aborts the request of a client that disconnects before the response', async () => {
  let begun = 0;
  let ended = 0;
  const { url } = await proxyTo((request, response) => {
    if (request.url?.endsWith('/whole')) return response.end();
    begun += 1;
    return response.on('close', () => (ended += 1));
  });
  const left = new AbortController();
  const leaving = Array.from({ length: 8 }, () => fetch(url, { signal: left.signal }));
  const waiting = send(url, '/whole');
  while (begun < 8) await pause(5);
  left.abort();
  for (const { status } of await Promise.allSettled(leaving)) expect(status).toBe('rejected');
  expect((await waiting).status).toBe(200);
  while (ended < 8) await pause(5);
});

test('the proxy streams the response', async () => {
  const end = Promise.withResolvers<void>();
  const { url } = await proxyTo(async (_, response) => {
    response.write('beginning ');
    await end.promise;
    response.end('end');
  });
  const { body } = await fetch(url);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('beginning ');
  end.resolve();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('end');
});

test('the proxy closes the connection of an incomplete response', async () => {
  const { url } = await proxyTo((request, response) => {
    if (request.url?.endsWith('/whole')) return response.end();
    response.write('half');
    return setTimeout(() => response.destroy(), 20);
  });
  await expect(send(url, '/half')).rejects.toThrow('aborted');
  expect((await send(url, '/whole')).status).toBe(200);
});

test('the proxy aborts the request of a client that disconnects during the response', async () => {
  const ended = Promise.withResolvers<void>();
  const { url } = await proxyTo((request, response) => {
    if (request.url?.endsWith('/whole')) return response.end();
    return response.on('close', () => ended.resolve()).write('beginning');
  });
  const left = new AbortController();
  await fetch(new URL('/half', url), { signal: left.signal });
  left.abort();
  await ended.promise;
  expect((await send(url, '/whole')).status).toBe(200);
});

test('the proxy returns 503 while the emulator is down, and recovers', async () => {
  const { url, emulator, host } = await proxyTo((_, response) => response.end('here'));
  const port = Number(host.split(':')[1]);
  expect((await send(url, '/')).text).toBe('here');
  await once(emulator.close(), 'close');
  expect(await send(url, '/')).toMatchObject({
    status: 503,
    text: '{"error":"the emulator does not respond; try again"}',
  });
  await once(emulator.listen(port, '127.0.0.1'), 'listening');
  expect((await send(url, '/')).text).toBe('here');
});

test("the proxy rejects a body above API Gateway's limit", async () => {
  let asked = 0;
  const { url } = await proxyTo((_, response) => {
    asked += 1;
    response.end();
  });
  const body = Buffer.alloc(30_000_000);
  expect(await send(url, '/', { method: 'POST', body })).toMatchObject({
    status: 413,
    text: '{"error":"request body too large"}',
  });
  expect(asked).toBe(0);
});

test('the proxy answers malformed HTTP and a URL that is too long with the error shape and headers of the service', async () => {
  const { url } = await proxyTo((_, response) => response.end());
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.end('nonsense\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 .*\r\n\r\n\{"error":"bad request"\}$/s);
  const { status, headers, text: body } = await send(url, `/v1/attestations?url=${'a'.repeat(20_000)}`);
  expect([status, body]).toEqual([400, '{"error":"bad request"}']);
  expect(headers).toEqual(expect.arrayContaining([...Object.entries(commonHeaders).flat(), 'x-request-id']));
});

describe('listen', () => {
  async function listenAt(port: number | undefined) {
    const proxy = new ApiProxy();
    onTestFinished(() => proxy.close());
    return proxy.listen(port);
  }

  /** Listens on a free port until the test ends. */
  async function occupyPort(host: string): Promise<number> {
    const server = createTcpServer();
    await once(server.listen(0, host), 'listening');
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  test('serves both loopback addresses only, and returns 503 until the API is ready', async () => {
    const url = await listenAt(0);
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${port}/`)).status).toBe(503);
  });

  test.each(['127.0.0.1', '::1'])('rejects a port that another process uses on %s', async (host) => {
    await expect(listenAt(await occupyPort(host))).rejects.toThrow('pass another port with --port');
  });

  test('takes a port from 4800 by default', async () => {
    expect(Number(new URL(await listenAt(undefined)).port)).toBeGreaterThanOrEqual(4800);
  });

  test('takes the next port if the first one is in use', async () => {
    const port = await occupyPort('127.0.0.1');
    const { servers, url } = await listenOnLoopback(undefined, async () => {}, port);
    onTestFinished(() => closeServers(servers));
    expect(Number(new URL(url).port)).toBeGreaterThan(port);
  });
});
