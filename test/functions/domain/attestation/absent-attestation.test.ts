import { expect, test } from 'vitest';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { taskTokenRecord } from '../../../../functions/domain/attestation/task-token-records.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { committing, mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

const malformed = { salt: 7 };

test.each([
  ['absent', 0, { remove: true }],
  ['absent', 2, { remove: true }],
  ['malformed', 0, { set: malformed }],
  ['malformed', 2, { set: malformed }],
] as const)(
  'an attestation that is %s since %i blocks after its commit holds up no other',
  async (what, blocks, change) => {
    const world = makeWorld({ forwarder: true });
    const broken = await committing(world, alice);
    const other = await committing(world, bob);
    await mineAndTick(world, blocks);
    await world.records.update({ key: attestationRow(broken), ...change });
    await mineAndTick(world, 6);
    expect(await world.row(other)).toMatchObject({ commitPhase: 'final' });
    const { finalNonce, nextNonce } = await stateOf(world);
    expect(finalNonce).toBe(nextNonce);
    expect(world.log.messages('error').includes('attestation unreadable')).toBe(what === 'malformed');
    expect(world.records.peek(attestationRow(broken)) === undefined).toBe(what === 'absent');
  },
);

test('a task token that is malformed keeps no other state from its answer', async () => {
  const world = makeWorld({ forwarder: true, batches: true });
  await pauseLane(world.services, world.lane);
  const [broken] = [await committing(world, alice), await committing(world, bob)];
  await resumeLane(world.services, world.lane);
  await world.records.update({ key: taskTokenRecord(broken), set: { taskToken: 7 } });
  await mineAndTick(world, 6);
  expect(world.chain.receipts()).toHaveLength(1);
  expect(world.executions.answers.length).toBeGreaterThan(0);
  expect(world.log.messages('error')).toContain('task token unreadable');
});

test('queued operations of malformed attestations stay queued and hold up no other', async () => {
  const world = makeWorld();
  for (let number = 0; number < 20; number++) {
    const { attestation } = await world.create(alice, `article ${number}`);
    await queueOperation(world.services, attestation, 'commit');
    await world.records.update({ key: attestationRow(attestation), set: malformed });
  }
  const other = await committing(world, bob);
  await mineAndTick(world, 6);
  expect(await world.row(other)).toMatchObject({ commitPhase: 'final' });
  expect(await listOperations(world, world.queue, 100)).toHaveLength(20);
});

test('the sweep postpones a malformed attestation and restarts the others', async () => {
  const world = makeWorld();
  const { attestation: broken } = await world.create(alice, 'broken');
  const { attestation: other } = await world.create(bob, 'other');
  await world.records.update({ key: attestationRow(broken), set: malformed });
  const { checkAt } = await world.row(other);
  world.clock.advance(3_600);
  await sweep(world.services);
  expect(world.records.peek(attestationRow(broken))?.checkAt).not.toBe(broken.checkAt);
  expect((await world.row(other)).checkAt).not.toBe(checkAt);
});
