import { describe, expect, test } from 'vitest';
import { NotYetFinalError } from '../../../../functions/domain/errors.ts';
import { laneName } from '../../../../functions/domain/lane/lane.ts';
import { openOrReadLane } from '../../../../functions/domain/lane/lane-records.ts';
import { laneServices } from '../../../../functions/domain/lane/lane-services.ts';
import { startRun } from '../../../../functions/domain/lane/start-lane.ts';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import type { Executions } from '../../../../functions/domain/services.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { override } from '../../../fakes/ports/port-overrides.ts';
import { addKey, mineAndTick, startCommit, stateOf, tick } from '../../../fakes/world/steps.ts';
import {
  alice,
  bob,
  chainId,
  forwarderAddress,
  makeWorld,
  registryAddress,
  type World,
} from '../../../fakes/world/world.ts';

test('a lane opens only after all earlier transactions of its key are final', async () => {
  const world = makeWorld({ confirmations: 4 });
  world.chain.spendNonce(world.signer.address);
  await expect(stateOf(world)).rejects.toThrow(NotYetFinalError);
  world.mine(2);
  await expect(stateOf(world)).rejects.toThrow(NotYetFinalError);
  world.mine();
  expect(await stateOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 1, finalNonce: 1 });
});

describe('a delegate in the settings', () => {
  const readNamed = async (world: World) => {
    const { delegates, registries } = await stateOf(world);
    return { delegates, registries };
  };
  const former = { delegates: [forwarderAddress], registries: [registryAddress] };
  const other = '0x4444444444444444444444444444444444444444';

  test('is recorded by every function of the lane, once per value, and kept', async () => {
    const world = makeWorld({ forwarder: true });
    expect(await readNamed(world)).toEqual(former);
    Object.assign(world.chain.settings, { registryAddress: other, delegates: ['key'] });
    await sweep(world.services);
    Object.assign(world.chain.settings, { registryAddress, delegates: [forwarderAddress] });
    const all = { delegates: [world.signer.address, forwarderAddress], registries: [other, registryAddress] };
    expect(await readNamed(world)).toEqual(all);
    const { version } = await stateOf(world);
    await tick(world);
    await sweep(world.services);
    expect((await stateOf(world)).version).toBe(version + 1);
    expect(await readNamed(world)).toEqual(all);
  });

  test('remains known to the lane of a new signer, unless it is the old key', async () => {
    const world = makeWorld({ delegates: ['key', forwarderAddress] });
    await stateOf(world);
    Object.assign(world.chain.settings, { registryAddress: other, delegates: [other] });
    const second = addKey(world);
    await activateSigner(world.services, chainId, second);
    const lane = laneName(chainId, second.address);
    expect(await openOrReadLane(laneServices(world.services, lane))).toMatchObject({
      delegates: [other, forwarderAddress],
      registries: [other, registryAddress],
    });
  });
});

test('a restored lane skips thousands of closed runs with few calls', async () => {
  const { services, executions, lane } = makeWorld();
  for (let run = 1; run <= 5_000; run++) executions.closed.add(`${lane}-${run}`);
  let calls = 0;
  const startLane: Executions['startLane'] = (one) => {
    calls++;
    return executions.startLane(one);
  };
  const counted = override<Executions>(executions, { startLane });
  await startRun({ ...services, executions: counted }, lane, 100);
  expect(executions.started).toHaveLength(1);
  expect(Number(executions.started[0]?.split('-').at(-1))).toBeGreaterThan(5_000);
  expect(calls).toBeLessThan(20);
});

test('two concurrent runs of a lane bind, settle and end nothing twice while one hands over', async () => {
  for (let seed = 0; seed < 60; seed++) {
    const world = makeWorld();
    await startCommit(world, alice);
    const { run } = await stateOf(world);
    const services = { ...world.services, laneDefinition: 'new' };
    const tickOf = (number: number, definition: string) => ({
      lane: world.lane,
      run: number,
      turn: 3,
      definition,
    });
    const late = await world.create(bob, 'late');
    world.mine(seed % 5);
    const settled = await interleave(services, seed, [
      (guardedServices) => advance(guardedServices, tickOf(run, 'old')),
      (guardedServices) => advance(guardedServices, tickOf(run + 1, 'new')),
      (guardedServices) => commitStep(guardedServices, { ...late.attestation, taskToken: 'late' }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    // The run in the record, or the one after it, does the remaining work.
    await sweep(services);
    const { run: last } = await stateOf(world);
    const newest = [last, last + 1].map((number) => `${world.lane}-${number}`);
    if (await world.owes()) expect(newest.some((name) => world.executions.started.includes(name))).toBe(true);
    await mineAndTick(world, 5);
    expect(minedCalls(world)).toEqual(['commit', 'commit']);
    expect(await world.owes()).toBe(false);
  }
});
