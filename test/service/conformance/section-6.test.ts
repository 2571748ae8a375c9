import { expect, test } from 'vitest';
import { mineUntilCommitted, withoutBlocks } from '../stack/blocks.ts';
import { article, newPublisher } from '../stack/publisher.ts';
import { committedOf, noRoute, pendingOf, replyOf } from './shapes.ts';

test('6.1 the API has no routes for events, webhooks or notifications', async () => {
  const { api } = await newPublisher({ delegated: false });
  for (const name of ['events', 'webhooks', 'notifications'])
    expect(replyOf(await api.send('GET', `/v1/${name}`))).toEqual(noRoute);
});

test('6.2 a client polls for progress, with Retry-After and a conditional request', async () => {
  const publisher = await newPublisher();
  const { api } = publisher;
  const content = article();
  await withoutBlocks(async () => {
    const created = await api.create({ content });
    const first = await api.get(created.body.id);
    expect(replyOf(first)).toEqual({ status: 200, body: pendingOf(publisher, content) });
    expect(first.headers.get('retry-after')).toBe('5');
    const etag = first.headers.get('etag') ?? '';
    const second = await api.get(created.body.id, { 'if-none-match': etag });
    expect([second.status, second.text, second.headers.get('etag')]).toEqual([304, '', etag]);
    const { id } = created.body;
    const committed = await mineUntilCommitted(publisher, id);
    expect(committed).toEqual({ ...committedOf(publisher, content), id });
  });
});
