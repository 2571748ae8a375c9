import { expect, test } from 'vitest';
import { HttpClient } from '../stack/http-client.ts';
import { article, newPublisher } from '../stack/publisher.ts';
import { noRoute, replyOf } from './shapes.ts';

test('0.2 every route is below the base address', async () => {
  const { api } = await newPublisher({ delegated: false });
  expect(replyOf(await api.list())).toEqual({ status: 200, body: { attestations: [] } });
  expect(replyOf(await api.send('GET', ''))).toEqual(noRoute);
});

test('0.3 all bodies are JSON, whatever the status', async () => {
  const [{ api }, stranger] = await Promise.all([newPublisher(), newPublisher({ delegated: false })]);
  const content = article();
  const answers = [
    await api.create({ content }),
    await api.create({ content }),
    await api.create('not JSON'),
    await new HttpClient().list(),
    await api.get('nonsense'),
    await api.send('DELETE', '/v1/attestations'),
    await stranger.api.create({ content }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 200, 400, 401, 404, 405, 409]);
  for (const { headers, text } of answers) {
    expect(headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(text)).toBeTypeOf('object');
  }
});
