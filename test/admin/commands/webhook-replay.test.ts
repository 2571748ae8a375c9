import { expect, test } from 'vitest';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { lowestId } from '../../../functions/domain/attestation/list-attestations.ts';
import { run, runJson } from './fake-deployment.ts';
import { url, withWebhook } from './with-webhook.ts';

const hour = 3_600_000;

/** A webhook, and attestations without queued events. */
async function withPast() {
  const world = await withWebhook();
  const { deployment, org } = world;
  const now = deployment.time.getTime();
  let stored = 0;
  const store = async (hoursAgo: number, more: Partial<Attestation>) => {
    const id = `${lowestId(new Date(now - hoursAgo * hour))}7000-8000-${String(++stored).padStart(12, '0')}`;
    await world.store({ ...more, id });
    return id;
  };
  const since = new Date(now - 24 * hour).toISOString();
  const replay = (...args: string[]) => run(deployment, 'webhook', 'replay', '--org', org, ...args);
  return { ...world, store, since, replay };
}

const confirmed = { status: 'confirmed', attestationIndex: 7, confirmedAt: '2026-01-02T00:00:00Z' } as const;

test('`webhook replay --since` queues events that were never queued, with their usual ids', async () => {
  const { deployment, org, heard, send, since, store } = await withPast();
  await store(25, confirmed);
  const ended = await store(23, confirmed);
  const failed = await store(22, { status: 'failed', error: 'no delegation' });
  await store(21, { status: 'committed' });
  const child = { linkPhase: 'final', childAttestationId: ended, childSequence: 2 } as const;
  const linked = await store(20, { ...confirmed, ...child });
  const replay = () => runJson(deployment, 'webhook', 'replay', '--org', org, '--since', since);
  expect([await replay(), await replay()]).toEqual([{ events: 4 }, { events: 0 }]);
  await send(204);
  expect(heard.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    [
      `msg_${ended}_confirmed`,
      `msg_${failed}_failed`,
      `msg_${linked}_confirmed`,
      `msg_${linked}_linked_2_${ended}`,
    ].sort(),
  );
  // Delivered events are not queued again.
  expect(await replay()).toEqual({ events: 0 });
  const { entries } = await runJson(deployment, 'audit', 'list', org);
  expect(entries).toContainEqual(expect.objectContaining({ action: 'webhook replay', details: { since } }));
});

test('`webhook replay --since` queues the event of a link if the child was accepted since then', async () => {
  const { deployment, org, heard, send, since, store } = await withPast();
  const linkTo = (child: string) =>
    ({ ...confirmed, linkPhase: 'final', childAttestationId: child, childSequence: 2 }) as const;
  const [old, child] = [await store(40 * 24, confirmed), await store(2, confirmed)];
  const parent = await store(31 * 24, linkTo(child));
  await store(31 * 24, linkTo(old));
  await store(31 * 24, { ...linkTo(child), linkPhase: 'mined' });
  const malformed = await store(31 * 24, confirmed);
  const key = attestationRow({ organizationId: org, id: malformed });
  await deployment.records.update({ key, set: { salt: 7 } });
  const replay = () => runJson(deployment, 'webhook', 'replay', '--org', org, '--since', since);
  expect([await replay(), await replay()]).toEqual([{ events: 2 }, { events: 0 }]);
  await send(204);
  expect(heard.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    [`msg_${child}_confirmed`, `msg_${parent}_linked_2_${child}`].sort(),
  );
});

test('`webhook replay --since` handles several pages of attestations', async () => {
  const { heard, send, since, store, replay } = await withPast();
  for (let one = 0; one < 230; one++) await store(20, confirmed);
  expect((await replay('--since', since)).out).toBe(
    '230 events are due now. To see the waiting events, run webhook list.\n',
  );
  await send(204);
  expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(230);
});

test('`webhook replay --since` skips a malformed attestation and reports its id', async () => {
  const { deployment, org, since, store, replay } = await withPast();
  const bad = await store(23, confirmed);
  await deployment.records.update({
    key: attestationRow({ organizationId: org, id: bad }),
    set: { salt: 7 },
  });
  await store(22, confirmed);
  const { exitCode, out } = await replay('--since', since);
  expect([exitCode, out]).toEqual([
    1,
    `1 event is due now. To see the waiting events, run webhook list.\nSkipped because malformed:\nattestation ${bad}\n`,
  ]);
});

test('`webhook replay --since` rejects a time older than the recorded deliveries', async () => {
  const { exitCode, error } = await (await withPast()).replay('--since', '2025-12-03T03:04:05Z');
  const message = 'admin: --since must be at most 30 days ago; older deliveries are no longer recorded\n';
  expect([exitCode, error]).toEqual([2, message]);
});

/** Two webhooks. The first is malformed. */
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

test('`webhook list` shows the error of a malformed webhook next to the other webhooks', async () => {
  const { deployment, org, malformed, other } = await withMalformed();
  for (const args of [['list'], ['list', '--org', org]]) {
    const { webhooks } = await runJson(deployment, 'webhook', ...args);
    expect(webhooks).toEqual([
      {
        ...{ id: malformed, organizationId: org, url: null, createdAt: null, secrets: null },
        ...{ waiting: 1, deadLetters: 0, error: why },
      },
      {
        ...{ id: other, organizationId: org, url: `${url}2`, createdAt: expect.any(String), secrets: 1 },
        ...{ waiting: 0, deadLetters: 0 },
      },
    ]);
    const { out, exitCode } = await run(deployment, 'webhook', ...args);
    expect([exitCode, out]).toEqual([
      0,
      expect.stringContaining(`${malformed}  ${org}  1        0             -        malformed  ${why}\n`),
    ]);
    expect(out).toContain(`${url}2`);
  }
});

test('`webhook create` and `webhook remove` work beside a malformed webhook, which can be removed too', async () => {
  const { deployment, org, malformed } = await withMalformed();
  for (let made = 2; made < 5; made++)
    expect(await runJson(deployment, 'webhook', 'create', '--org', org, '--url', url)).toMatchObject({ url });
  const { error } = await run(deployment, 'webhook', 'create', '--org', org, '--url', url);
  expect(error).toBe('admin: an organization has at most 5 webhooks; remove one first\n');
  const removed = await runJson(deployment, 'webhook', 'remove', '--org', org, malformed);
  expect(removed).toEqual({ id: malformed, removed: true });
  const { webhooks } = await runJson(deployment, 'webhook', 'list');
  expect(JSON.stringify(webhooks)).not.toContain(malformed);
});

test('`webhook replay` skips a malformed webhook and reports its id', async () => {
  const { deployment, org, malformed, heard, queue, send, advance, other } = await withMalformed();
  const messageId = await queue(2);
  await send(404, { id: other });
  advance(73);
  await send(404, { id: other });
  const { events } = await runJson(deployment, 'webhook', 'dead-letters', '--org', org);
  expect(events).toMatchObject([{ webhookId: other, messageId }]);
  const { exitCode, out } = await run(deployment, 'webhook', 'replay', '--org', org, '--all');
  expect([exitCode, out]).toEqual([
    1,
    '1 event is due now. To see the waiting events, run webhook list.\n' +
      `Skipped because malformed:\nwebhook ${malformed}\n`,
  ]);
  await send(204, { id: other });
  expect(heard.at(-1)?.headers['webhook-id']).toBe(messageId);
});
