import { expect, test } from 'vitest';
import { localClient } from '../../local/stack/local-client.ts';
import type { Answer, Body } from './stack/http-client.ts';
import { killWorkers } from './stack/kill-workers.ts';
import { article, newPublisher } from './stack/publisher.ts';
import { stack } from './stack/running-stack.ts';

async function follow(apiKey: string, address: string | null | undefined) {
  const url = new URL(address ?? '', stack.apiUrl);
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  return (await response.json()) as Body;
}

const addressIn = ({ headers }: Answer) => /^<(.*)>/.exec(headers.get('link') ?? '')?.[1];

test('the URLs in `Location` and `Link` can be followed', async () => {
  const [{ api, apiKey }, stranger] = await Promise.all([newPublisher(), newPublisher({ delegated: false })]);
  const [first, second] = [
    await api.create({ content: article() }),
    await api.create({ content: article() }),
  ];
  const created = await follow(apiKey, first.headers.get('location'));
  expect(created.id).toBe(first.body.id);
  const page = await api.list('?limit=1');
  expect(page.body.attestations).toMatchObject([{ id: second.body.id }]);
  const next = await follow(apiKey, addressIn(page));
  expect(next.attestations).toMatchObject([{ id: first.body.id }]);
  const refused = await stranger.api.create({ content: article() });
  const help = await follow(stranger.apiKey, addressIn(refused));
  expect(help.chains).toHaveLength(1);
});

test('the API answers 16 concurrent clients without a refusal', async () => {
  const { api } = await newPublisher();
  const posted = await Promise.all(Array.from({ length: 16 }, () => api.create({ content: article() })));
  expect(posted.map(({ status }) => status)).toEqual(Array(16).fill(202));
  const read = await Promise.all(posted.map(({ body }) => api.get(body.id)));
  expect(read.map(({ body }) => body.id)).toEqual(posted.map(({ body }) => body.id));
});

test('a request that is sent while the emulator’s functions are killed is accepted once', async () => {
  const { api, apiKey } = await newPublisher();
  const client = localClient({ apiUrl: stack.apiUrl, apiKey });
  const posts = Array.from({ length: 8 }, () => client.attest(article()));
  await api.list();
  expect(await killWorkers(stack.directory)).toBeGreaterThan(0);
  const ids = (await Promise.all(posts)).map(({ attestation }) => attestation.id);
  const { attestations } = (await api.list()).body as { attestations: Body[] };
  expect(attestations.map(({ id }) => id).sort()).toEqual(ids.sort());
});
