import { expect, test } from 'vitest';
import { run, runJson } from '../fake-deployment.ts';
import { url, withWebhook } from './with-webhook.ts';

/** Two webhooks, of which the first is malformed. */
async function withMalformed() {
  const world = await withWebhook();
  const { deployment, org, webhook } = world;
  await world.queue();
  world.advance(1);
  const { id } = await runJson(deployment, 'webhook', 'create', '--org', org, '--url', `${url}2`);
  const key = { table: 'webhooks', pk: 'webhooks', sk: `${org}#${webhook.id}` } as const;
  await deployment.records.update({ key, set: { secret: 7 } });
  return { ...world, malformed: String(webhook.id), other: String(id) };
}

const why = 'stored webhook: secret is missing or malformed';

test('lists the others, and says which webhook cannot be read and why', async () => {
  const { deployment, org, malformed, other } = await withMalformed();
  for (const args of [['list'], ['list', '--org', org]]) {
    const { webhooks } = await runJson(deployment, 'webhook', ...args);
    expect(webhooks).toEqual([
      {
        ...{ id: malformed, organizationId: org, url: null, createdAt: null, secrets: null },
        ...{ waiting: 1, parked: 0, error: why },
      },
      {
        ...{ id: other, organizationId: org, url: `${url}2`, createdAt: expect.any(String), secrets: 1 },
        ...{ waiting: 0, parked: 0 },
      },
    ]);
    const { out, exitCode } = await run(deployment, 'webhook', ...args);
    expect([exitCode, out]).toEqual([
      0,
      expect.stringContaining(`${malformed}  ${org}  1        0       -        malformed  ${why}\n`),
    ]);
    expect(out).toContain(`${url}2`);
  }
});

test('makes and removes webhooks beside a malformed one, and removes that', async () => {
  const { deployment, org, malformed } = await withMalformed();
  for (let made = 2; made < 5; made++)
    expect(await runJson(deployment, 'webhook', 'create', '--org', org, '--url', url)).toMatchObject({ url });
  const { error } = await run(deployment, 'webhook', 'create', '--org', org, '--url', url);
  expect(error).toBe('admin: an organisation has at most 5 webhooks; remove one first\n');
  const removed = await runJson(deployment, 'webhook', 'remove', '--org', org, malformed);
  expect(removed).toEqual({ id: malformed, removed: true });
  const { webhooks } = await runJson(deployment, 'webhook', 'list');
  expect(JSON.stringify(webhooks)).not.toContain(malformed);
});

test('sends again to the others, and names the malformed one', async () => {
  const { deployment, org, malformed, heard, queue, send, advance, other } = await withMalformed();
  const messageId = await queue(2);
  await send(404, { id: other });
  advance(73);
  await send(404, { id: other });
  const { events } = await runJson(deployment, 'webhook', 'parked', '--org', org);
  expect(events).toMatchObject([{ webhookId: other, messageId }]);
  const { exitCode, out } = await run(deployment, 'webhook', 'replay', '--org', org, '--all');
  expect([exitCode, out]).toEqual([
    1,
    '1 event is due now; webhook list shows what waits.\n' +
      `Malformed, and left as it is:\nwebhook ${malformed}\n`,
  ]);
  await send(204, { id: other });
  expect(heard.at(-1)?.headers['webhook-id']).toBe(messageId);
});
