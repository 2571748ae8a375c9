import { expect, test } from 'vitest';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { pauseLane, resumeLane, resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { committed, mineAndTick, reveal, tick } from '../../../fakes/world/steps.ts';
import { alice, chainId, makeWorld } from '../../../fakes/world/world.ts';

test.each([
  { resync: true, blocks: 4 },
  { resync: false, blocks: 4 },
  { resync: false, blocks: 1 },
])(
  'a reveal that is on the chain does not fail with its key, revoked $blocks blocks after it and a restore: $resync',
  async ({ resync, blocks }) => {
    const world = makeWorld();
    const { services, lane, records } = world;
    const row = await committed(world, alice);
    await pauseLane(services, lane);
    await reveal(world, row);
    const backup = records.all();
    await resumeLane(services, lane);
    await tick(world);
    await mineAndTick(world, blocks);
    expect((await world.row(row)).revealPhase).toBe(blocks > 1 ? 'final' : 'mined');
    for (const { key } of records.all()) await records.update({ key, remove: true });
    for (const { key, fields } of backup) await records.update({ key, put: fields });
    await revokeSigner(services, chainId, world.signer.address, { force: true });
    if (resync) {
      await resyncLane(services, lane);
      expect(await world.row(row)).toMatchObject({ revealPhase: 'unneeded' });
    }
    await tick(world);
    await mineAndTick(world, 3);
    expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'unneeded' });
    await confirmStep(services, row);
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', attestationIndex: 1 });
    expect(minedCalls(world)).toEqual(['commit', 'reveal']);
    expect(await world.owes()).toBe(false);
  },
);
