import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import type { Operation } from '../../../../functions/domain/lane/lane.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { candidatesOf } from '../../../../functions/domain/operation/candidates.ts';
import { outcomeChanges } from '../../../../functions/domain/operation/outcome.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { interrupt } from '../../../fakes/ports/port-overrides.ts';
import { mineAndTick, selfAttest, startCommit, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../../fakes/world/world.ts';

test('a reverted transaction of a restored lane does not free an operation that another transaction has done since', async () => {
  const world = makeWorld();
  const row = await startCommit(world, alice);
  const { organizationId, id, createdAt: queuedAt } = row;
  const bound = { organizationId, id, kind: 'commit', queuedAt } as const;
  const changes = outcomeChanges(
    { ...row, commitPhase: 'final' },
    bound,
    { kind: 'free' },
    world.chain.settings,
  );
  expect(changes).toEqual([]);
});

test('a link mined with an index from before a deep reorg is queued again', async () => {
  const world = makeWorld();
  const row = { ...(await startCommit(world, alice)), attestationIndex: 9, childSequence: 1 } as const;
  const bound = {
    organizationId: row.organizationId,
    id: row.id,
    kind: 'link',
    queuedAt: row.createdAt,
  } as const;
  const mined = { kind: 'final', hash: '0xab', blockTimestamp: 1 } as const;
  const childOf = { ...row, linkPhase: 'queued', linkRound: 5 } as const;
  const phases = [2, 9].map((attestationIndex) => {
    const link = { ...bound, childSequence: 1, attestationIndex };
    const changes = outcomeChanges(childOf, link, mined, world.chain.settings);
    return changes.map((change) => ('set' in change ? change.set.linkPhase : change.key.table));
  });
  expect(phases).toEqual([['queued', 'queue'], ['final']]);
});

test('a commit that is sent on its own after its batch was lost no longer belongs to that batch', async () => {
  const world = makeWorld();
  const row = await startCommit(world, alice);
  const { organizationId, id, createdAt: queuedAt } = row;
  const batch = { lane: world.lane, nonce: 3, position: 1 };
  const bound = { organizationId, id, kind: 'commit', queuedAt } as const;
  const mined = { kind: 'mined', hash: '0xab', blockTimestamp: 1 } as const;
  const [change] = outcomeChanges({ ...row, batch }, bound, mined, world.chain.settings);
  expect(change).toMatchObject({ set: { commitPhase: 'mined' } });
  expect(change && 'set' in change && Object.entries(change.set)).toContainEqual(['batch', undefined]);
});

const listQueued = (world: World) => listOperations(world, world.queue, 10);

const interruptedBy = ({ services, records }: World, act: () => Promise<unknown>) => ({
  ...services,
  records: interrupt<Records>(records, 'transact', act),
});

const linked = ({ chain }: World, { attestationIndex }: Attestation) =>
  chain.state.entry(attestationIndex ?? 0).childDigest;

test('a link stays queued if it is queued again while the previous one leaves the queue', async () => {
  const world = makeWorld();
  const parent = await selfAttest(world, alice, 'the old article');
  const { attestation: first } = await world.create(alice, 'the new article');
  world.clock.advance(1);
  const { attestation: second } = await world.create(alice, 'the newest article');
  await linkChild(world.services, parent, first.id);
  const listed = await listQueued(world);
  expect(listed).toHaveLength(1);
  await tick(world);
  await mineAndTick(world, world.chain.settings.confirmations);
  expect((await world.row(parent)).linkPhase).toBe('final');

  // A slow dispatch, which listed the queue before all that.
  const services = interruptedBy(world, () => linkChild(world.services, parent, second.id));
  const { candidates } = await candidatesOf(services, await stateOf(world), world.queue, listed);
  expect(candidates).toEqual([]);
  expect(await listQueued(world)).toHaveLength(1);
  expect(world.log.messages('warn')).not.toContain('queued operation no longer needed');
  await mineAndTick(world, 5);
  expect(linked(world, parent)).toBe(second.digest);
});

test('an operation stays queued if its transaction frees it while it leaves the queue', async () => {
  const world = makeWorld();
  const { attestation } = await world.create(alice, 'An article.');
  await queueOperation(world.services, attestation, 'commit');
  const [listed] = (await listQueued(world)) as [Operation];
  const phase = (commitPhase: string) =>
    world.records.update({ key: attestationRow(attestation), set: { commitPhase } });
  // A slow dispatch, which listed the queue before the commit was mined.
  await phase('mined');
  const services = interruptedBy(world, () => phase('queued'));
  const { candidates } = await candidatesOf(services, await stateOf(world), world.queue, [listed]);
  expect(candidates).toEqual([]);
  expect(await listQueued(world)).toEqual([listed]);
});
