import { expect, test } from 'vitest';
import { withoutBlocks } from '../stack/blocks.ts';
import type { Answer } from '../stack/http-client.ts';
import { article, newPublisher } from '../stack/publisher.ts';
import { withinOneDay } from '../stack/within-one-day.ts';
import { creationOf, replyOf } from './shapes.ts';

const refused = { status: 429, body: { error: 'rate limit exceeded' } };
const secondsToWait = ({ headers }: Answer) => Number(headers.get('retry-after'));

test('8.5 an organization with too many attestations in flight gets 429 with Retry-After', async () => {
  const publisher = await newPublisher({ limits: { inFlight: 1 } });
  const { api } = publisher;
  const content = article();
  await withoutBlocks(async () => {
    expect((await api.create({ content })).status).toBe(202);
    const over = await api.send('POST', '/v1/attestations', { content: article() });
    expect(replyOf(over)).toEqual(refused);
    expect(secondsToWait(over)).toBeGreaterThan(0);
    const again = await api.create({ content });
    expect(replyOf(again)).toEqual({ status: 200, body: creationOf(publisher, content) });
  });
});

test('8.5 an organization that exceeds its daily limit gets 429 until the next day', () =>
  withinOneDay(async () => {
    const { api } = await newPublisher({ limits: { attestationsPerDay: 1 } });
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400;
    expect((await api.create({ content: article() })).status).toBe(202);
    const over = await api.send('POST', '/v1/attestations', { content: article() });
    expect(replyOf(over)).toEqual(refused);
    expect(Math.abs(Date.now() / 1000 + secondsToWait(over) - midnight)).toBeLessThan(60);
  }));

test('8.5 another organization is not affected', () =>
  withinOneDay(async () => {
    const [busy, calm] = await Promise.all([
      newPublisher({ limits: { attestationsPerDay: 1 } }),
      newPublisher(),
    ]);
    await busy.api.create({ content: article() });
    expect((await busy.api.send('POST', '/v1/attestations', { content: article() })).status).toBe(429);
    expect((await calm.api.create({ content: article() })).status).toBe(202);
  }));
