import { expect, test } from 'vitest';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { committing, mineAndTick, openTransactions, tick } from '../../../fakes/world/steps.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';

test('a transaction that reverted frees nothing that another has done since, when its lane is restored', async () => {
  const world = makeWorld();
  const { chain, records } = world;
  const row = await committing(world, alice);
  chain.revertsAll = true;
  world.mine();
  chain.revertsAll = false;
  const lanes = () => records.all().filter(({ key }) => key.table === 'lanes');
  const backup = lanes();
  await mineAndTick(world, 2 * chain.settings.confirmations);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'final' });

  for (const { key } of lanes()) await records.update({ key, remove: true });
  for (const { key, fields } of backup) await records.update({ key, put: fields });
  expect(await openTransactions(world)).toHaveLength(1);
  await tick(world);
  expect(await openTransactions(world)).toEqual([]);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'final' });
  expect(await world.owes()).toBe(false);
  expect(minedCalls(world)).toEqual(['commit']);
});
