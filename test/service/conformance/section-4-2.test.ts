import { beforeAll, expect, test } from 'vitest';
import { mineUntilCommitted, withoutBlocks } from '../stack/blocks.ts';
import type { Answer, Body } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { committedOf, notFound, pendingOf, replyOf } from './shapes.ts';

const content = article();
let publisher: Publisher;
let other: Publisher;
let created: Body;
/** Replies while no block was mined. */
let answer: Answer;
let inUpperCase: Answer;
let committed: Body;

beforeAll(async () => {
  [publisher, other] = await Promise.all([newPublisher(), newPublisher()]);
  const { api } = publisher;
  await withoutBlocks(async () => {
    created = (await api.create({ content })).body;
    answer = await api.get(created.id);
    inUpperCase = await api.get(String(created.id).toUpperCase());
    committed = await mineUntilCommitted(publisher, created.id);
  });
});

test('4.2.1 GET /v1/attestations/:id returns an attestation that is not final yet', () => {
  expect(committed).toEqual({ ...committedOf(publisher, content), id: created.id });
});

test('4.2.2 id is a uuid in upper or lower case', () => {
  const body = { ...pendingOf(publisher, content), id: created.id };
  expect(replyOf(inUpperCase)).toEqual({ status: 200, body });
});

test('4.2.3 200 has the Attestation shape', () => {
  const body = { ...pendingOf(publisher, content), id: created.id };
  expect(replyOf(answer)).toEqual({ status: 200, body });
});

test('4.2.4 404 has the same body for an unknown, a malformed and another publisher’s id', async () => {
  const ids = [crypto.randomUUID(), 'nonsense', '%20', created.id];
  const answers = await Promise.all(ids.map((id) => other.api.get(id)));
  expect(answers.map(replyOf)).toEqual([notFound, notFound, notFound, notFound]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
