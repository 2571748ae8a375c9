import { once } from 'node:events';
import { createServer, type IncomingMessage, request as open } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startPatientProxy } from './patient-proxy.ts';

interface Canned {
  readonly status: number;
  readonly body: string;
}

const overloaded: Canned = {
  status: 429,
  body: '{"__type":"TooManyRequestsException","Reason":"ConcurrentInvocationLimitExceeded"}',
};

/** Starts a target that gives these answers in turn, and keeps what it was asked. */
async function proxyTo(...answers: Canned[]) {
  const asked: { line: string; headers: string[]; body: string }[] = [];
  const target = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ line: `${request.method} ${request.url}`, headers: request.rawHeaders, body });
    const { status = 500, body: text = '' } = answers.shift() ?? {};
    response.writeHead(status, { 'X-Request-Id': 'a' }).end(text);
  });
  await once(target.listen(0, '127.0.0.1'), 'listening');
  const { port } = target.address() as AddressInfo;
  const proxy = await startPatientProxy(`http://127.0.0.1:${port}`);
  onTestFinished(async () => {
    await proxy.close();
    target.close();
  });
  return { asked, url: new URL(proxy.url), host: `127.0.0.1:${port}` };
}

async function send(url: URL, method: string, path: string, body = '') {
  const headers = { 'X-A': 'Ä b', host: url.host };
  const sent = open({ hostname: url.hostname, port: url.port, method, path, headers, agent: false });
  // With a string, Node would write the headers in UTF-8 too.
  sent.end(Buffer.from(body));
  const [head] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of head) text += chunk;
  return { status: head.statusCode, text, headers: head.rawHeaders };
}

test('a request passes as it is, and so does its answer', async () => {
  const { asked, url, host } = await proxyTo({ status: 404, body: '{"error":"not found"}' });
  const reply = await send(url, 'PUT', '/v1//%2e%2e/a?b=%zz', '{');
  expect([reply.status, reply.text]).toEqual([404, '{"error":"not found"}']);
  expect(reply.headers).toContain('X-Request-Id');
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ line: 'PUT /v1//%2e%2e/a?b=%zz', body: '{' });
  expect(asked[0]?.headers).toEqual(expect.arrayContaining(['X-A', 'Ä b', host]));
});

test('what the emulator refuses for want of a function is asked again', async () => {
  const { asked, url } = await proxyTo(overloaded, overloaded, { status: 202, body: '{}' });
  expect((await send(url, 'POST', '/v1/attestations', '{"content":"a"}')).status).toBe(202);
  expect(asked.map(({ body }) => body)).toEqual(Array(3).fill('{"content":"a"}'));
});

test('the service’s own 429 is an answer', async () => {
  const { asked, url } = await proxyTo({ status: 429, body: '{"error":"rate limit exceeded"}' });
  expect((await send(url, 'GET', '/v1/chains')).status).toBe(429);
  expect(asked).toHaveLength(1);
});
