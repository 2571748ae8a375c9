import { describe, expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { refreshEntry, refreshIfReachable } from '../../../../functions/domain/attestation/refresh-entry.ts';
import { taskTokenRecord } from '../../../../functions/domain/attestation/task-token-records.ts';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { override } from '../../../fakes/ports/port-overrides.ts';
import { mineAndTick, selfAttest, startCommit, stateOf, withRecords } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Revokes an attestation as its authority. @returns the time of the revocation, ISO 8601 */
function revoke({ chain }: World, { attestationIndex = 0 }: Attestation): string {
  chain.revokeAttestation(alice.authorityAddress, attestationIndex);
  return new Date(chain.newest.timestamp * 1000).toISOString();
}

async function makeRevoked() {
  const world = makeWorld();
  const row = await selfAttest(world, alice, 'An article.');
  const revokedAt = revoke(world, row);
  world.mine(3);
  return { world, row, revokedAt };
}

describe('the registry entry of a confirmed attestation', () => {
  test('is stored when it is revoked, and is not written when it is read again', async () => {
    const { world, row, revokedAt } = await makeRevoked();
    expect(await refreshEntry(world.services, row)).toEqual({ ...row, revokedAt });
    expect(await world.row(row)).toEqual({ ...row, revokedAt });
    const services = withRecords(world, { update: () => Promise.reject(new Error('nothing is new')) });
    const again = await refreshEntry(services, await world.row(row));
    expect(again.revokedAt).toBe(revokedAt);
  });

  test('stays unchanged when the provider lags behind the attestation or the revocation', async () => {
    const { world, row, revokedAt } = await makeRevoked();
    const stored = await refreshEntry(world.services, row);
    for (const lag of [1, 2, world.chain.newest.number]) {
      world.chain.lagBlocks = lag;
      expect(await refreshEntry(world.services, stored)).toEqual({ ...row, revokedAt });
    }
  });

  test('is not revoked any more when a final block from after the revocation shows this', async () => {
    const { world, row } = await makeRevoked();
    const stored = await refreshEntry(world.services, row);
    world.chain.reorganize(4, { dropActs: true });
    expect(await refreshEntry(world.services, stored)).toEqual(row);
    expect(await world.row(row)).toEqual(row);
  });

  test('is not read before confirmation', async () => {
    const world = makeWorld();
    const { attestation } = await world.create(alice, 'An article.');
    world.chain.unreachable = true;
    expect(await refreshEntry(world.services, attestation)).toBe(attestation);
  });

  test('is the same after two concurrent reads, whichever writes first', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { world, row, revokedAt } = await makeRevoked();
      const results = await interleave(world.services, seed, [
        (services) => refreshEntry(services, row),
        (services) => refreshEntry(services, row),
      ]);
      for (const result of results)
        expect(result).toMatchObject({ status: 'fulfilled', value: { revokedAt } });
    }
  });

  test('is never replaced by an older view that is written later', async () => {
    const { world, row } = await makeRevoked();
    const { services } = world;
    let revokedAgainAt = '';
    const chain = override<Chain>(world.chain, {
      atFinal: async (query) => {
        const answer = await world.chain.atFinal(query);
        world.chain.reorganize(4, { dropActs: true });
        revokedAgainAt = revoke(world, row);
        world.mine(3);
        await refreshEntry(services, row);
        return answer;
      },
    });
    const shown = await refreshEntry({ ...services, chain: () => chain }, row);
    expect(shown.revokedAt).toBe(revokedAgainAt);
    expect((await world.row(row)).revokedAt).toBe(revokedAgainAt);
  });
});

test('a post of a revoked attestation returns the time of its revocation', async () => {
  const { world, row, revokedAt } = await makeRevoked();
  const known = { accepted: false, attestation: { id: row.id, revokedAt } };
  for (let post = 0; post < 2; post++) expect(await world.create(alice, 'An article.')).toMatchObject(known);
});

test('a request returns the stored attestation while the chain cannot be reached', async () => {
  const { world, row, revokedAt } = await makeRevoked();
  world.chain.unreachable = true;
  await expect(refreshEntry(world.services, row)).rejects.toThrow(ChainUnreachableError);
  expect(await refreshIfReachable(world.services, row)).toBe(row);
  world.chain.unreachable = false;
  expect(await refreshIfReachable(world.services, row)).toEqual({ ...row, revokedAt });
  const services = { ...world.services, chain: () => Object.create(null) as Chain };
  await expect(refreshIfReachable(services, row)).rejects.toThrow(TypeError);
});

const malformed = { salt: 7 };

test.each([
  ['absent', 0, { remove: true }],
  ['absent', 2, { remove: true }],
  ['malformed', 0, { set: malformed }],
  ['malformed', 2, { set: malformed }],
] as const)(
  'an attestation that becomes %s %i blocks after its commit does not block others',
  async (damage, blocks, change) => {
    const world = makeWorld({ forwarder: true });
    const broken = await startCommit(world, alice);
    const other = await startCommit(world, bob);
    await mineAndTick(world, blocks);
    await world.records.update({ key: attestationRow(broken), ...change });
    await mineAndTick(world, 6);
    expect(await world.row(other)).toMatchObject({ commitPhase: 'final' });
    const { finalNonce, nextNonce } = await stateOf(world);
    expect(finalNonce).toBe(nextNonce);
    expect(world.log.messages('error').includes('attestation unreadable')).toBe(damage === 'malformed');
    expect(world.records.peek(attestationRow(broken)) === undefined).toBe(damage === 'absent');
  },
);

test('a malformed task token does not prevent the answer to another state', async () => {
  const world = makeWorld({ forwarder: true, batches: true });
  await pauseLane(world.services, world.lane);
  const [broken] = [await startCommit(world, alice), await startCommit(world, bob)];
  await resumeLane(world.services, world.lane);
  await world.records.update({ key: taskTokenRecord(broken), set: { taskToken: 7 } });
  await mineAndTick(world, 6);
  expect(world.chain.receipts()).toHaveLength(1);
  expect(world.executions.answers.length).toBeGreaterThan(0);
  expect(world.log.messages('error')).toContain('task token unreadable');
});

test('queued operations of malformed attestations stay queued and do not block others', async () => {
  const world = makeWorld();
  for (let number = 0; number < 20; number++) {
    const { attestation } = await world.create(alice, `article ${number}`);
    await queueOperation(world.services, attestation, 'commit');
    await world.records.update({ key: attestationRow(attestation), set: malformed });
  }
  const other = await startCommit(world, bob);
  await mineAndTick(world, 6);
  expect(await world.row(other)).toMatchObject({ commitPhase: 'final' });
  expect(await listOperations(world, world.queue, 100)).toHaveLength(20);
});

test('the sweep postpones a malformed attestation and restarts the others', async () => {
  const world = makeWorld();
  const { attestation: broken } = await world.create(alice, 'broken');
  const { attestation: other } = await world.create(bob, 'other');
  await world.records.update({ key: attestationRow(broken), set: malformed });
  const { checkAt } = await world.row(other);
  world.clock.advance(3_600);
  await sweep(world.services);
  expect(world.records.peek(attestationRow(broken))?.checkAt).not.toBe(broken.checkAt);
  expect((await world.row(other)).checkAt).not.toBe(checkAt);
});
