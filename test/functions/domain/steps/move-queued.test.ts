import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { queueName } from '../../../../functions/domain/lane/lane.ts';
import { keyOf, listOperations, queuedOperation } from '../../../../functions/domain/lane/queue-records.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Queues a commit as an earlier version did: in the table of the lanes, without a round. */
async function queuedFormerly(world: World, text: string, caller = alice): Promise<Attestation> {
  const { attestation } = await world.create(caller, text);
  await queueOperation(world.services, attestation, 'commit');
  const key = queuedOperation(queueName(world.queue), keyOf(await world.row(attestation), 'commit'));
  const { round: _, ...operation } = (await world.records.get(key)) ?? {};
  const sk = `${attestation.organizationId}#${attestation.id}#commit`;
  await world.records.transact([
    { key, remove: true },
    { key: { ...key, table: 'lanes', sk }, put: operation },
    { key: attestationRow(attestation), set: { commitRound: undefined } },
  ]);
  return attestation;
}

const former = ({ records, queue }: World) =>
  records.list({ table: 'lanes', pk: `${queueName(queue)}#queue`, limit: 1_000 });

test.each([{}, { forwarder: true }])(
  'what an earlier version queued is moved by the sweep and sent: %j',
  async (route) => {
    const world = makeWorld(route);
    const row = await queuedFormerly(world, 'An article.');
    await sweep(world.services);
    expect(await former(world)).toEqual([]);
    expect(world.executions.started.at(-1)).toBe(`${world.lane}-1`);
    await mineAndTick(world, 5);
    expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'final' });
  },
);

test('more than one page of it is moved at once, and nothing else', async () => {
  const world = makeWorld();
  await stateOf(world);
  for (let number = 0; number < 101; number++)
    await queuedFormerly(world, `article ${number}`, number % 2 ? bob : alice);
  const state = await stateOf(world);
  await sweep(world.services);
  expect(await former(world)).toEqual([]);
  expect(await listOperations(world, world.queue, 1_000)).toHaveLength(101);
  expect(await stateOf(world)).toEqual(state);
});

test('it is in one place and bound once, whoever moves, takes and binds it at once', async () => {
  for (let seed = 0; seed < 30; seed++) {
    const world = makeWorld({ forwarder: true });
    const rows = [await queuedFormerly(world, 'one'), await queuedFormerly(world, 'two', bob)];
    const tick = (services: World['services']) => advance(services, { lane: world.lane, run: 1, turn: 0 });
    await interleave(world.services, seed, [sweep, tick, sweep]);
    await mineAndTick(world, 6);
    for (const row of rows) expect((await world.row(row)).commitPhase).toBe('final');
    const made = world.chain.receipts().filter(({ sender }) => sender === world.signer.address);
    expect(made.every(({ succeeded, failedPositions }) => succeeded && failedPositions.length === 0)).toBe(
      true,
    );
  }
});
