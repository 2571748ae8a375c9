import { expect, test } from 'vitest';
import { outcomeChanges } from '../../../../functions/domain/operation/outcome.ts';
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

test('a link that is mined with the index of before a deep reorganisation is owed again', async () => {
  const world = makeWorld();
  const row = { ...(await committing(world, alice)), attestationIndex: 9, childSequence: 1 } as const;
  const bound = {
    organizationId: row.organizationId,
    id: row.id,
    kind: 'link',
    queuedAt: row.createdAt,
  } as const;
  const mined = { kind: 'final', hash: '0xab', blockTimestamp: 1 } as const;
  const linked = { ...row, linkPhase: 'queued', linkRound: 5 } as const;
  const phases = [2, 9].map((attestationIndex) => {
    const link = { ...bound, childSequence: 1, attestationIndex };
    const changes = outcomeChanges(linked, link, mined, world.chain.settings);
    return changes.map((change) => ('set' in change ? change.set.linkPhase : change.key.table));
  });
  expect(phases).toEqual([['queued', 'queue'], ['final']]);
});

test('a commit that is made alone, after its batch was lost, is no longer of that batch', async () => {
  const world = makeWorld();
  const row = await committing(world, alice);
  const { organizationId, id, createdAt: queuedAt } = row;
  const batch = { lane: world.lane, nonce: 3, position: 1 };
  const bound = { organizationId, id, kind: 'commit', queuedAt } as const;
  const mined = { kind: 'mined', hash: '0xab', blockTimestamp: 1 } as const;
  const [change] = outcomeChanges({ ...row, batch }, bound, mined, world.chain.settings);
  expect(change).toMatchObject({ set: { commitPhase: 'mined' } });
  expect(change && 'set' in change && Object.entries(change.set)).toContainEqual(['batch', undefined]);
});
