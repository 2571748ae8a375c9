import { expect, test } from 'vitest';
import { NotYetFinalError } from '../../../../functions/domain/errors.ts';
import { stateOf } from '../../../fakes/world/steps.ts';
import { makeWorld } from '../../../fakes/world/world.ts';

test('a lane begins only where all that its key sent before is final', async () => {
  const world = makeWorld({ confirmations: 4 });
  world.chain.spendNonce(world.signer.address);
  await expect(stateOf(world)).rejects.toThrow(NotYetFinalError);
  world.mine(2);
  await expect(stateOf(world)).rejects.toThrow(NotYetFinalError);
  world.mine();
  expect(await stateOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 1, finalNonce: 1 });
});
