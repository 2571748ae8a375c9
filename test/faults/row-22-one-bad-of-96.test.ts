import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { pauseLane, resumeLane } from '../../functions/domain/operator/lane-control.ts';
import type { Caller } from '../../functions/domain/organization/api-keys.ts';
import { batchLimits } from '../../functions/domain/sending/batch-call.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, queued, routes, type Served, serve } from './world/served.ts';

const gwei = 1_000_000_000n;

/** Attestations whose reveals all wait in the queue of a paused lane. */
async function queueReveals({ world, services, post, until }: Served, callers: readonly Caller[]) {
  const { lane } = world;
  const attestations: Attestation[] = [];
  await pauseLane(services, lane);
  for (const [position, caller] of callers.entries()) {
    attestations.push((await post(caller, `article ${position}`)).attestation);
  }
  await until(async () => (await queued(world)).length === callers.length);
  await resumeLane(services, lane);
  await until(async () => (await queued(world)).length === 0);
  await until(async () => {
    const { minedNonce, nextNonce } = await laneOf(world);
    return minedNonce === nextNonce;
  });
  await pauseLane(services, lane);
  await until(async () => (await queued(world)).length === callers.length);
  return attestations;
}

test('row 22: of 96 in a transaction one is bad, and the 95 others land', async () => {
  const service = await serve({ batches: false, forwarder: true, confirmations: 2 });
  const { world, services, until, endsByRule } = service;
  const { chain } = world;
  const callers = Array.from({ length: batchLimits.operations }, (_, n) => (n === 50 ? bob : alice));
  const attestations = await queueReveals(service, callers);
  const commits = await chain.receipts();
  expect(commits).toHaveLength(1);
  await resumeLane(services, world.lane);
  await until(() => chain.mempool.nonces().length > 0);
  // In the same block, and before.
  await chain.revokeDelegation(bob.authorityAddress);
  await endsByRule();
  const rows = await Promise.all(attestations.map(world.row));
  const failed = rows.filter(({ status }) => status === 'failed');
  expect(rows.filter(({ status }) => status === 'confirmed')).toHaveLength(95);
  expect(failed).toMatchObject([{ id: attestations[50]?.id, error: expect.stringContaining('delegation') }]);
  const [, ...reveals] = await chain.receipts();
  expect(reveals).toMatchObject([{ receipt: { succeeded: true, failedPositions: [expect.any(Number)] } }]);
});

const moments = ['before ours is bound', 'while ours is under way'] as const;
const cases = routes.flatMap((route) => moments.map((moment) => ({ moment, route })));

test.each(cases)(
  'row 22: content that the authority reveals itself $moment is confirmed as its own, and the others land: $route',
  async ({ moment, route }) => {
    const service = await serve({ ...route, confirmations: 2 });
    const { world, services, until, endsByRule } = service;
    const { chain } = world;
    const attestations = await queueReveals(service, [alice, bob, alice, bob]);
    const theirs = attestations[1];
    if (!theirs) throw new Error('four were posted');
    if (moment === 'while ours is under way') {
      chain.minTip = 500n * gwei;
      await resumeLane(services, world.lane);
      await until(async () => (await queued(world)).length === 0);
    }
    await chain.attest(bob.authorityAddress, theirs.digest);
    chain.minTip = 0n;
    await resumeLane(services, world.lane);
    await endsByRule();
    const rows = await Promise.all(attestations.map(world.row));
    expect(rows.map(({ status }) => status)).toEqual(Array(4).fill('confirmed'));
    expect(await world.row(theirs)).toMatchObject({ revealPhase: 'unneeded', attestationIndex: 1 });
    const isTried = (await chain.receipts()).some(
      ({ receipt: { succeeded, failedPositions } }) => !succeeded || failedPositions.length > 0,
    );
    expect(isTried).toBe(moment === 'while ours is under way');
  },
);
