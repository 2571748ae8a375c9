import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import document from '../../../../docs/openapi.json' with { type: 'json' };
import { handler as docs } from '../../../../functions/api/docs-page.ts';
import { handler as openApi } from '../../../../functions/api/openapi-document.ts';
import type { ApiReply } from '../../../fakes/world/api-client.ts';
import { expectDocumented } from './documented.ts';

type Handler = typeof docs;

async function request(handler: Handler, path: string, headers: Record<string, string> = {}) {
  const event = { headers, requestContext: { requestId: 'request', path } };
  const answer = await handler(event as unknown as Parameters<Handler>[0]);
  const sent = answer.headers as ApiReply['headers'];
  return { status: answer.statusCode, text: answer.body, headers: sent, body: { id: '' } };
}

const page = () => request(docs, '/live/docs');

test.each([
  ['getOpenApiDocument', openApi],
  ['getDocumentation', docs],
] as const)('`%s` answers 304 for a current copy', async (operationId, handler) => {
  const { headers } = await request(handler, '/');
  const reply = await request(handler, '/', { 'If-None-Match': headers.ETag ?? '' });
  expect([reply.status, reply.text.length]).toEqual([304, 0]);
  expectDocumented(operationId, reply);
});

describe('GET /openapi.json', () => {
  test('returns the document without a key', async () => {
    const reply = await request(openApi, '/openapi.json');
    expectDocumented('getOpenApiDocument', reply);
    expect(JSON.parse(reply.text)).toEqual(document);
  });

  test('has a server URL that leads to the routes beside it, under any prefix', () => {
    const served = 'https://a.example/restapis/a/live/_user_request_/openapi.json';
    const [server] = document.servers;
    expect(document.servers).toHaveLength(1);
    expect(new URL(server?.url ?? '', served).href).toBe(new URL('./', served).href);
  });
});

describe('GET /docs', () => {
  test('returns a page without a key', async () => {
    const reply = await page();
    expectDocumented('getDocumentation', reply);
    expect(reply.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(reply.text.slice(0, 15)).toBe('<!doctype html>');
  });

  test('runs only its own scripts, and loads nothing', async () => {
    const { text, headers } = await page();
    const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? '');
    const hashes = scripts.map(
      (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    );
    expect(hashes).toHaveLength(2);
    const policy = headers['Content-Security-Policy'] ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", `script-src ${hashes.join(' ')}`, "connect-src 'self'"]),
    );
    expect(policy).not.toMatch(/https?:|\*/);
    const markup = text.replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, '');
    expect(
      markup.match(/<(?:script|img|iframe|object|embed|link)[^>]+(?:src|href)="(?!data:)[^"]*/g),
    ).toBeNull();
    const [style] = /<style>[\s\S]*<\/style>/.exec(text) ?? [];
    expect(style?.match(/url\((?!["']?data:).{0,50}|@import.{0,50}/g)).toBeNull();
  });
});
