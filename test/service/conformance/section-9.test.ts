import { expect, test } from 'vitest';
import { newPublisher } from '../stack/publisher.ts';
import { noRoute, notFound, replyOf } from './shapes.ts';

const unknownId = crypto.randomUUID();

/** All endpoints of the interface document, without the version. */
const endpoints = [
  ['POST', '/attestations'],
  ['GET', '/attestations'],
  ['GET', `/attestations/${unknownId}`],
  ['POST', `/attestations/${unknownId}/child`],
] as const;

test('9.1 the version is the prefix of the path; a path without it or with another version has no route', async () => {
  const { api } = await newPublisher({ delegated: false });
  for (const [method, path] of endpoints) {
    for (const prefix of ['', '/v0', '/v2', '/V1', '/v1.0'])
      expect([prefix, replyOf(await api.send(method, `${prefix}${path}`))]).toEqual([prefix, noRoute]);
  }
});

test('9.2 all endpoints are below /v1', async () => {
  const { api } = await newPublisher({ delegated: false });
  const body = { childAttestationId: crypto.randomUUID() };
  const answers = await Promise.all(
    endpoints.map(([method, path]) => api.send(method, `/v1${path}`, method === 'POST' ? body : undefined)),
  );
  expect(answers.map(({ status }) => status)).toEqual([400, 200, 404, 404]);
  expect(answers.slice(2).map(replyOf)).toEqual([notFound, notFound]);
});

test('9.3 no answer of this version is marked as deprecated', async () => {
  const { api } = await newPublisher({ delegated: false });
  const { headers } = await api.list();
  expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
});
