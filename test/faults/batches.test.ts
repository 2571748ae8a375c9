import { executeFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Hex, numberToHex, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { pauseLane, resumeLane } from '../../functions/domain/operator/lane-control.ts';
import { callsInside } from '../fakes/chain/contracts-model.ts';
import { expectAllConfirmed, laneOf, queued, type Served, serve } from '../fakes/real/served.ts';
import { answeredBy } from '../fakes/rpc/rpc-answers.ts';
import { RpcRefusal } from '../fakes/rpc/rpc-call.ts';
import type { RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';

/** Queues reveals on a paused lane. The one at position 10 belongs to bob. */
async function queueReveals(service: Served, count: number): Promise<Attestation[]> {
  const { world, services, post, until } = service;
  const attestations: Attestation[] = [];
  await pauseLane(services, world.lane);
  for (let n = 0; n < count; n++) {
    attestations.push((await post(n === 10 ? bob : alice, `article ${n}`)).attestation);
  }
  const areQueued = (length: number) => until(async () => (await queued(world)).length === length);
  await areQueued(count);
  await resumeLane(services, world.lane);
  await areQueued(0);
  await until(async () => {
    const { minedNonce, nextNonce } = await laneOf(world);
    return minedNonce === nextNonce;
  });
  await pauseLane(services, world.lane);
  await areQueued(count);
  return attestations;
}

const oneByOne = { batches: false, forwarder: true, confirmations: 2 };

test('row 22: of 96 calls in a transaction, only the bad one fails, and 95 are mined', async () => {
  const service = await serve(oneByOne);
  const { world, services, until, finishAndCheck } = service;
  const { chain } = world;
  const attestations = await queueReveals(service, 96);
  await resumeLane(services, world.lane);
  await until(() => chain.mempool.nonces().length > 0);
  await chain.revokeDelegation(bob.authorityAddress);
  await finishAndCheck();
  const rows = await Promise.all(attestations.map(world.row));
  const failed = rows.filter(({ status }) => status === 'failed');
  expect(rows.filter(({ status }) => status === 'confirmed')).toHaveLength(95);
  expect(failed).toMatchObject([{ id: attestations[10]?.id, error: expect.stringContaining('delegation') }]);
  const [, ...reveals] = await chain.receipts();
  expect(reveals).toMatchObject([{ receipt: { succeeded: true, failedPositions: [expect.any(Number)] } }]);
});

/** Every second call of a batch fails with a load error, in an HTTP 200 answer. */
function itemsRefused(): RpcRule {
  let calls = 0;
  return answeredBy(['eth_call', 'eth_estimateGas'], async ({ method, params }, request) => {
    if (++calls % 2 === 0) throw new RpcRefusal({ code: 429, message: 'compute units exceeded' });
    return request(method, params);
  });
}

test('row 34: call limits do not let one organization with a revoked delegation delay the others', async () => {
  const service = await serve(oneByOne);
  const { world, services, until, advance, finishAndCheck } = service;
  const attestations = await queueReveals(service, 24);
  await world.chain.revokeDelegation(alice.authorityAddress);
  await advance(20);
  const [provider] = world.providers;
  const lift = provider?.addRule(itemsRefused());
  await resumeLane(services, world.lane);
  await advance(60);
  const errors = async () =>
    (await Promise.all(attestations.map(world.row))).flatMap(({ error }) => error ?? []);
  expect([(await queued(world)).length, await errors()]).toEqual([24, []]);
  lift?.();
  provider?.addRule({ fault: { kind: 'batch refused', maxCalls: 10 } });
  const calls = () => provider?.counts.get('eth_call') ?? 0;
  const before = calls();
  await until(async () => (await queued(world)).length === 0);
  // Two simulations, with and without the failed calls, and reads of states, reveals and their commits.
  expect(calls() - before).toBeLessThanOrEqual(2 + 3);
  await finishAndCheck();
  expect(await errors()).toHaveLength(23);
  for (const error of await errors()) expect(error).toContain(`delegation of ${alice.authorityAddress}`);
});

/** Rule of a provider that estimates a third of the gas for a forwarder's batch with more than two calls. */
const shortEstimates = answeredBy(['eth_estimateGas'], async ({ method, params = [] }, request) => {
  const [{ data }] = params as readonly [{ data: Hex }];
  const gas = BigInt((await request(method, params)) as Hex);
  const isLong = data.startsWith(toFunctionSelector(executeFunction)) && callsInside(data).length > 2;
  return numberToHex(isLong ? gas / 3n : gas);
});

test('row 23: a batch that runs out of gas is halved until each part has enough', async () => {
  const { world, post, finishAndCheck } = await serve({ ...oneByOne, maxInFlight: 1 });
  world.providers[0]?.addRule(shortEstimates);
  for (let number = 0; number < 9; number++) await post(alice, `article ${number}`);
  await finishAndCheck();
  await expectAllConfirmed(world, 9);
  const batches = (await world.chain.receipts()).map(
    ({ data, succeeded }) => [callsInside(data).length, succeeded] as const,
  );
  expect(batches).toContainEqual([9, false]);
  expect(batches).toContainEqual([4, false]);
  // Three reveals may have enough gas, because of the margin on top of the estimate.
  for (const [size, succeeded] of batches.filter(([length]) => length !== 3))
    expect([size, succeeded]).toEqual([size, size <= 2]);
});
