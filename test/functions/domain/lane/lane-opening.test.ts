import { describe, expect, test } from 'vitest';
import { NotYetFinalError } from '../../../../functions/domain/errors.ts';
import { laneName } from '../../../../functions/domain/lane/lane.ts';
import { openOrReadLane } from '../../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../../functions/domain/lane/lane-services.ts';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { FakeSigner } from '../../../fakes/ports/fake-signer.ts';
import { stateOf, tick } from '../../../fakes/world/steps.ts';
import {
  chainId,
  forwarderAddress,
  makeWorld,
  registryAddress,
  type World,
} from '../../../fakes/world/world.ts';

test('a lane begins only where all that its key sent before is final', async () => {
  const world = makeWorld({ confirmations: 4 });
  world.chain.spendNonce(world.signer.address);
  await expect(stateOf(world)).rejects.toThrow(NotYetFinalError);
  world.mine(2);
  await expect(stateOf(world)).rejects.toThrow(NotYetFinalError);
  world.mine();
  expect(await stateOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 1, finalNonce: 1 });
});

describe('what the settings name', () => {
  const named = async (world: World) => {
    const { delegates, registries } = await stateOf(world);
    return { delegates, registries };
  };
  const former = { delegates: [forwarderAddress], registries: [registryAddress] };
  const other = '0x4444444444444444444444444444444444444444';

  test('is recorded by whichever lane function sees it, each once, and kept', async () => {
    const world = makeWorld({ forwarder: true });
    expect(await named(world)).toEqual(former);
    Object.assign(world.chain.settings, { registryAddress: other, delegates: ['key'] });
    await sweep(world.services);
    Object.assign(world.chain.settings, { registryAddress, delegates: [forwarderAddress] });
    const all = {
      delegates: [world.signer.address, forwarderAddress],
      registries: [other, registryAddress],
    };
    expect(await named(world)).toEqual(all);
    const { version } = await stateOf(world);
    await tick(world);
    await sweep(world.services);
    expect((await stateOf(world)).version).toBe(version + 1);
    expect(await named(world)).toEqual(all);
  });

  test('stays known to the lane of a new signer, except the old key itself', async () => {
    const world = makeWorld({ delegates: ['key', forwarderAddress] });
    await stateOf(world);
    Object.assign(world.chain.settings, { registryAddress: other, delegates: [other] });
    const signer = new FakeSigner(`0x${'b2'.repeat(32)}`);
    world.signers.set('second', signer);
    await activateSigner(world.services, chainId, { keyId: 'second', address: signer.address });
    const lane = laneName(chainId, signer.address);
    expect(await openOrReadLane(laneServices(world.services, lane))).toMatchObject({
      delegates: [other, forwarderAddress],
      registries: [other, registryAddress],
    });
  });
});
