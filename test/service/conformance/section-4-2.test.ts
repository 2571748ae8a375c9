import { beforeAll, expect, test } from 'vitest';
import { betweenBlocks } from '../chain.ts';
import type { Answer, Body } from '../http-client.ts';
import { article, newPublisher, type Publisher } from '../publisher.ts';
import { notFound, pendingOf, said } from './shapes.ts';

const content = article();
let publisher: Publisher;
let other: Publisher;
let created: Body;
/** While nothing could be mined. */
let answer: Answer;

beforeAll(async () => {
  [publisher, other] = await Promise.all([newPublisher(), newPublisher()]);
  const { api } = publisher;
  await betweenBlocks(async () => {
    created = (await api.create({ content })).body;
    answer = await api.get(created.id);
  });
});

test('4.2.1 GET /v1/attestations/:id answers while the attestation is under way', async () => {
  expect((await publisher.api.get(created.id)).body).toMatchObject({ id: created.id });
});

test('4.2.2 id is a uuid in either case', async () => {
  const { status, body } = await publisher.api.get(String(created.id).toUpperCase());
  expect([status, body.id]).toEqual([200, created.id]);
});

test('4.2.3 200 has the Attestation shape', () => {
  expect(said(answer)).toEqual({ status: 200, body: pendingOf(publisher, content) });
});

test('4.2.4 404 for an unknown, a malformed and another publisher’s id, in the same bytes', async () => {
  const ids = [crypto.randomUUID(), 'nonsense', '%20', created.id];
  const answers = await Promise.all(ids.map((id) => other.api.get(id)));
  expect(answers.map(said)).toEqual([notFound, notFound, notFound, notFound]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
