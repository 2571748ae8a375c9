import { expect, test } from 'vitest';
import { receiptsHidden, refusing, stale } from '../fakes/rpc/rpc-answers.ts';
import type { RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, minedCount, routes, type Served, serve, transactionOf } from './world/served.ts';

const receiptsRefused = refusing(-32_000, 'internal error', ['eth_getTransactionReceipt']);

const faults: [string, RpcRule][] = [
  ['hides receipts', receiptsHidden],
  ['answers with errors instead of receipts', receiptsRefused],
];

const cases = routes.flatMap((route) => faults.map(([what, rule]) => ({ what, route, rule })));

/** A commit that is mined, deep, and not seen by the service. */
async function unseenCommit({ world, post, until, pass }: Served, rule: RpcRule) {
  const lift = world.providers[0]?.set(rule) ?? (() => {});
  const { attestation } = await post(alice, 'An article.');
  await until(async () => (await minedCount(world)) === 1);
  const { confirmations, blockTimeSeconds } = world.chain.settings;
  await pass(3 * confirmations * blockTimeSeconds);
  return { attestation, lift };
}

test.each(cases)(
  'row 12: a nonce that moved on while the provider $what stays open, then is settled: $route',
  async ({ route, rule }) => {
    const service = await serve(route);
    const { world, post, endsByRule } = service;
    const { attestation, lift } = await unseenCommit(service, rule);
    expect(await world.row(attestation)).toMatchObject({ status: 'pending', commitPhase: 'queued' });
    const transaction = await transactionOf(world, 0);
    expect(transaction).toMatchObject({ state: 'open', attempts: [{}] });
    expect(await laneOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 0 });
    expect(await laneOf(world)).not.toHaveProperty('paused');
    await post(bob, 'Behind it.');
    lift();
    await endsByRule();
    expect(await world.row(attestation)).toMatchObject({
      status: 'confirmed',
      commitTxHash: transaction.attempts[0]?.hash,
    });
    expect(await world.chain.receipts()).toHaveLength(4);
  },
);

test.each(routes)('row 12: a provider that lags undoes nothing and refuses nothing: %j', async (route) => {
  const { world, post, until, pass, endsByRule } = await serve({ ...route, confirmations: 2 });
  // So that the provider knows of the delegations all the while.
  await pass(20);
  const { attestation } = await post(alice, 'An article.');
  await until(async () => (await world.row(attestation)).commitPhase === 'final');
  const before = await world.row(attestation);
  const lane = await laneOf(world);
  const lift = world.providers[0]?.set(stale(6));
  await post(bob, 'Meanwhile.');
  await pass(8);
  expect(await world.row(attestation)).toMatchObject({
    status: 'committed',
    commitPhase: 'final',
    commitTxHash: before.commitTxHash,
  });
  const { minedNonce, finalNonce, paused } = await laneOf(world);
  expect(minedNonce).toBeGreaterThanOrEqual(lane.minedNonce);
  expect([finalNonce, paused]).toEqual([lane.finalNonce, undefined]);
  await pass(40);
  lift?.();
  await endsByRule();
  expect((await world.row(attestation)).status).toBe('confirmed');
  // A replacement of what is mined, or the same bytes again, is all that the node may have refused.
  expect([...new Set(world.log.messages('error'))]).toEqual(['transaction may not have been sent']);
});
