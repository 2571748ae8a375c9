import { expect } from 'vitest';
import { handler } from '../../../../functions/api/create-attestation.ts';
import { type ApiReply, call } from '../../../fakes/world/api-client.ts';
import type { World } from '../../../fakes/world/world.ts';
import { type Asking, ask, base, expectAnswer, workingKey } from './answers.ts';
import { type Extras, foretellCreation } from './foretell-creation.ts';
import type { LifeModel, Publisher, Row } from './life-model.ts';

/** From now on the organisation must see it under the id that it was given. */
function take({ rows }: Publisher, row: Row | undefined, { body, headers }: ApiReply): void {
  if (!row) return;
  if (headers.Location !== undefined) expect(headers.Location).toBe(`${base}/${body.id}`);
  expect(rows.map((other) => other.body.id)).not.toContain(body.id);
  rows.push({ ...row, body: { ...row.body, id: body.id } });
}

export async function create(
  model: LifeModel,
  world: World,
  asking: Asking,
  text: string,
  extras: Extras = {},
): Promise<void> {
  let row: Row | undefined;
  const reply = await ask(asking, handler, { body: { content: text, ...extras } }, () => {
    const creation = foretellCreation(model, world, asking.publisher, text, extras);
    row = creation.row;
    return creation.answer;
  });
  if (reply) take(asking.publisher, row, reply);
}

/** Of all that post a content at once one is answered as if it were alone, and the others get the same attestation. */
export async function createAtOnce(
  model: LifeModel,
  world: World,
  publisher: Publisher,
  text: string,
  times: number,
): Promise<void> {
  const issued = publisher.keys[workingKey(publisher)];
  if (!issued || issued.revoked) return;
  const { answer, row } = foretellCreation(model, world, publisher, text, {});
  const post = () => call(handler, { body: { content: text } }, issued.key);
  const replies = await Promise.all(Array.from({ length: times }, post));
  const first = replies.find(({ status }) => status === answer.status);
  if (!first) throw new Error(`no reply has the status ${answer.status}`);
  expectAnswer(first, answer);
  const another = answer.status === 202 ? { status: 200, body: { ...first.body } } : answer;
  for (const reply of replies) if (reply !== first) expectAnswer(reply, another);
  take(publisher, row, first);
}

const notAnObject = [{ path: [], message: 'the body must be a JSON object' }];

/** What is sent, and the issues it has. */
export const invalidBodies: readonly (readonly [text: string, issues: readonly object[]])[] = [
  ['', notAnObject],
  ['{"content":', notAnObject],
  ['["content"]', notAnObject],
  ['{"content":""}', [{ path: ['content'], message: 'must not be empty' }]],
  ['{"content":"a","chain_id":31337}', [{ path: ['chain_id'], message: 'did you mean chainId?' }]],
  [
    '{"content":"a","url":"ftp://a.example"}',
    [{ path: ['url'], message: 'must be a valid http or https URL' }],
  ],
];

/** Nothing of it is stored: the list that is compared later would show it. */
export async function createInvalid(asking: Asking, number: number): Promise<void> {
  const [text = '', issues] = invalidBodies[number % invalidBodies.length] ?? [];
  const body = { error: 'invalid request', issues };
  await ask(asking, handler, { text }, () => ({ status: 400, body }));
}
