import { expect, test } from 'vitest';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { committing, mineAndTick, reveal, tick } from '../../../fakes/world/steps.ts';
import { alice, chainId, makeWorld } from '../../../fakes/world/world.ts';

test('a reveal that a revoked key cannot send fails only when its commit cannot be sent again', async () => {
  const world = makeWorld({ confirmations: 8, revealDelaySeconds: 4 });
  const row = await committing(world, alice);
  await mineAndTick(world, 4);
  await revokeSigner(world.services, chainId, world.signer.address, { force: true });
  await reveal(world, row);
  await tick(world);
  expect(await world.row(row)).toMatchObject({
    ...{ status: 'committed', commitPhase: 'mined', revealPhase: 'queued' },
  });
  world.chain.reorganise(4, { drop: true });
  await tick(world);
  await mineAndTick(world);
  expect(minedCalls(world)).toEqual(['commit']);
  expect((await world.row(row)).status).toBe('committed');
  await mineAndTick(world, 8);
  expect(await world.row(row)).toMatchObject({
    ...{ status: 'failed', commitPhase: 'final', revealPhase: 'refused' },
    error: expect.stringContaining('was withdrawn'),
  });
});
