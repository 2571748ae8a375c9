import { expect, test } from 'vitest';
import { dueDeliveries } from '../../../../functions/domain/webhooks/find-deliveries.ts';
import { queueEvents } from '../../../../functions/domain/webhooks/queue-events.ts';
import { sendDue } from '../../../../functions/domain/webhooks/send-due.ts';
import { bob } from '../../../fakes/world/world.ts';
import { confirming, hook, makeWebhooks } from './hear.ts';

test('queues an event once for each webhook of its organisation, however often the stream shows it', async () => {
  const world = makeWebhooks();
  const { services, clock } = world;
  const [first, second] = [await hook(world, 'a'), await hook(world, 'b')];
  await queueEvents(services, [confirming()]);
  clock.advance(1);
  await queueEvents(services, [confirming(), confirming()]);
  for (const webhook of [first, second])
    expect(await dueDeliveries(services, webhook, clock.now(), 10)).toHaveLength(1);
});

test('does not queue again what was delivered, though the stream shows it a day later', async () => {
  const world = makeWebhooks();
  const { services, clock, heard } = world;
  const webhook = await hook(world);
  for (let shown = 0; shown < 2; shown++) {
    await queueEvents(services, [confirming()]);
    await sendDue(services, [webhook]);
    clock.advance(24 * 3_600);
  }
  expect(heard).toHaveLength(1);
});

test("queues nothing for another organisation's webhooks", async () => {
  const world = makeWebhooks();
  const webhook = await hook(world);
  const change = confirming();
  await queueEvents(world.services, [
    { ...change, key: { ...change.key, organizationId: bob.organizationId } },
  ]);
  expect(await dueDeliveries(world.services, webhook, world.clock.now(), 10)).toEqual([]);
});

test('a malformed row is reported, and holds up none of those behind it', async () => {
  const world = makeWebhooks();
  const webhook = await hook(world);
  const bad = confirming(1);
  await queueEvents(world.services, [{ ...bad, after: { ...bad.after, salt: 7 } }, confirming(2)]);
  expect(await dueDeliveries(world.services, webhook, world.clock.now(), 10)).toMatchObject([
    { attestationId: confirming(2).key.id },
  ]);
  expect(world.log.messages('error')).toEqual(['webhook event unreadable']);
});

test('a failure of the store is thrown, so that the stream shows all of it again, and nothing is queued twice', async () => {
  const world = makeWebhooks();
  const { services, records, clock } = world;
  const webhook = await hook(world);
  const transact = records.transact.bind(records);
  let writes = 0;
  records.transact = async (changes) => {
    writes += 1;
    if (writes === 2) throw new Error('the store is down');
    return transact(changes);
  };
  const changes = [confirming(1), confirming(2), confirming(3)];
  await expect(queueEvents(services, changes)).rejects.toThrow('the store is down');
  await queueEvents(services, changes);
  const due = await dueDeliveries(services, webhook, clock.now(), 10);
  expect(due.map(({ attestationId }) => attestationId)).toEqual(changes.map(({ key }) => key.id));
});
