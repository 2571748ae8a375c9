import { parseQuoteProof } from 'imprimatur-verifier';
import { expect, test, vi } from 'vitest';
import { handler } from '../../../functions/api/quote-passage.ts';
import { parseContent } from '../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../functions/domain/attestation/content-cid.ts';
import { quoteRoot } from '../../../functions/domain/attestation/quote-root.ts';
import { bobKey, call, world } from '../../fakes/world/api-client.ts';
import { alice } from '../../fakes/world/world.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../../fakes/world/composed.ts'));

const article = 'What the council knew, and when it knew it.\n';
world.chain.attest(alice.authorityAddress, contentDigest(parseContent(article)), quoteRoot(article));
world.mine(world.chain.settings.confirmations);
const { id } = (await world.create(alice, article)).attestation;

test('answers with the proof', async () => {
  const { status, text } = await call(handler, { id, body: { passage: 'the council knew' } });
  expect(status).toBe(200);
  expect(parseQuoteProof(text)).toMatchObject({
    root: quoteRoot(article),
    quote: { segments: [{ text: 'the council knew', chunk: 0, offset: 5 }] },
  });
});

test('answers 422 with the reason, which repeats no word of the passage', async () => {
  const { status, body } = await call(handler, { id, body: { passage: 'the mayor knew' } });
  expect([status, body]).toEqual([422, { error: 'the passage is not in the text' }]);
});

const misshaped = 'must be a text, or a list of 1 to 1000 texts';

test.each([
  [{}, ['passage'], 'is missing'],
  [{ passage: '' }, ['passage'], 'must not be empty'],
  [{ passage: [] }, ['passage'], misshaped],
  [{ passage: ['a', ''] }, ['passage', 1], 'must not be empty'],
  [{ passage: Array(1001).fill('a') }, ['passage'], misshaped],
  [{ passage: 'a'.repeat(1_048_577) }, ['passage'], 'must be at most 1,048,576 characters'],
  [{ passage: ['a', 1] }, ['passage'], misshaped],
  [{ passage: 7 }, ['passage'], misshaped],
  [{ Passage: 'a' }, ['Passage'], 'did you mean passage?'],
  [{ quote: 'a' }, ['quote'], 'did you mean passage?'],
])('answers 400 to %.40j', async (body, path, message) => {
  const reply = await call(handler, { id, body });
  expect(reply.status).toBe(400);
  expect(reply.body.issues).toContainEqual({ path, message });
});

test('answers 404 to another organisation, and 409 before it is confirmed', async () => {
  expect((await call(handler, { id, body: { passage: 'council' } }, bobKey)).status).toBe(404);
  const pending = (await world.create(alice, 'not yet there')).attestation;
  const { status, body } = await call(handler, { id: pending.id, body: { passage: 'not yet' } });
  expect([status, body.error]).toEqual([409, 'attestation not yet confirmed (status pending)']);
});

test('answers 503 while the chain cannot be reached', async () => {
  world.chain.unreachable = true;
  const { status, headers } = await call(handler, { id, body: { passage: 'council' } });
  world.chain.unreachable = false;
  expect([status, headers['Retry-After']]).toEqual([503, '5']);
});

test('logs nothing of the content and of the passage', async () => {
  await call(handler, { id, body: { passage: 'the council knew' } });
  await call(handler, { id, body: { passage: 'the mayor knew' } });
  expect(JSON.stringify(world.log)).not.toMatch(/council|mayor/);
});
