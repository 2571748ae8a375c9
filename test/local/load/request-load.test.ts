import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadRequests, presentRequests } from '../../../local/load/request-load.ts';

let asked: { method: string; path: string; key: string }[];
let statusOf: (path: string) => number;

const server = createServer((request, response) => {
  const { method = '', url: path = '', headers } = request;
  asked.push({ method, path, key: headers.authorization ?? '' });
  const status = statusOf(path);
  if (status === 0) request.socket.destroy();
  else response.writeHead(status).end(JSON.stringify({ id: 'an-id' }));
});

beforeEach(async () => {
  asked = [];
  statusOf = () => 200;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

let number = 0;

function load() {
  const { port } = server.address() as AddressInfo;
  const service = { apiUrl: `http://127.0.0.1:${port}`, apiKey: 'a-key' };
  return loadRequests({ ...service, seconds: 1, concurrency: 2, article: () => `article ${++number}` });
}

test('makes requests of every kind with the key, and counts their answers', async () => {
  const report = await load();
  const kinds = new Set(asked.map(({ method, path }) => `${method} ${path}`));
  expect([...kinds].sort()).toEqual([
    'GET /v1/attestations',
    'GET /v1/attestations/an-id',
    'GET /v1/chains',
    'POST /v1/attestations',
  ]);
  expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(['Bearer a-key']));
  expect(report).toMatchObject({ passed: true, requests: asked.length });
  const chains = asked.filter(({ path }) => path === '/v1/chains');
  expect(report.routes.chains?.statuses).toEqual({ 200: chains.length });
  expect(report.routes.chains?.p99).toBeGreaterThanOrEqual(report.routes.chains?.p50 ?? Number.NaN);
});

test.each([
  [503, '503: '],
  [0, 'no answer: '],
])('does not pass when one kind is answered %i', async (status, said) => {
  statusOf = (path) => (path === '/v1/chains' ? status : 200);
  const report = await load();
  expect(report.passed).toBe(false);
  expect(report.routes.get?.statuses).toEqual({ 200: expect.any(Number) });
  expect(presentRequests(report)).toContain(said);
});

test('passes when the service refuses for load, and says how often', async () => {
  statusOf = () => 429;
  const report = await load();
  expect(report.passed).toBe(true);
  expect(Object.values(report.routes).every(({ statuses }) => Object.keys(statuses).join() === '429')).toBe(
    true,
  );
});
