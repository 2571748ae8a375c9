import { verifyQuote } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { replyOf } from './conformance/shapes.ts';
import { publicClient } from './stack/chain.ts';
import { article, newPublisher } from './stack/publisher.ts';

test('a quote proof of a text up to 1 MiB is verified on the chain without the text', async () => {
  const { api } = await newPublisher();
  const opening = article('It was sung 😀 and written down. ');
  const texts = [opening, `${opening}${'x'.repeat(1_048_576 - Buffer.byteLength(opening) - 8)} the end`];
  for (const text of texts) {
    const { id } = await api.attest(text);
    const { status, body } = await api.quote(id, ['It was sung 😀', 'written down']);
    expect(status).toBe(200);
    const verdict = await verifyQuote(body, { providers: [publicClient] });
    expect(verdict).toMatchObject({ outcome: 'verified', quoteRootHolds: true });
    const missing = await api.quote(id, 'It was never sung');
    expect(replyOf(missing)).toEqual({ status: 422, body: { error: 'the passage is not in the text' } });
  }
});
