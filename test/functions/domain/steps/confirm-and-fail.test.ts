import { describe, expect, test } from 'vitest';
import {
  AlreadyAttestedError,
  NotYetFinalError,
  OperationBoundError,
} from '../../../../functions/domain/errors.ts';
import { pauseLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { failAttestation, failStep } from '../../../../functions/domain/steps/fail.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { interrupt } from '../../../fakes/ports/port-overrides.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  commitOne,
  mineAndTick,
  reveal,
  startCommit,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../../fakes/world/world.ts';

async function makeRevealed() {
  const world = makeWorld();
  const row = await commitOne(world, alice);
  await reveal(world, row);
  return { world, row };
}

describe('the Confirm state', () => {
  test('confirms only attestations of a final block, with the registry’s index and block time', async () => {
    const { world, row } = await makeRevealed();
    world.mine();
    const { timestamp } = world.chain.newest;
    world.mine();
    await expect(confirmStep(world.services, row)).rejects.toThrow(NotYetFinalError);
    expect((await world.row(row)).status).toBe('committed');
    world.mine();
    await confirmStep(world.services, row);
    const confirmed = await world.row(row);
    expect(confirmed).toMatchObject({ status: 'confirmed', attestationIndex: 1, error: null });
    expect(confirmed.confirmedAt).toBe(new Date(timestamp * 1000).toISOString());
    expect(confirmed).not.toHaveProperty('checkAt');
    expect(confirmed).not.toHaveProperty('sweep');
  });

  test('changes nothing if it runs again', async () => {
    const { world, row } = await makeRevealed();
    world.mine(4);
    await confirmStep(world.services, row);
    const confirmed = await world.row(row);
    await confirmStep(world.services, row);
    expect(await world.row(row)).toEqual(confirmed);
  });

  test('confirms an attestation revoked before it was final, and shows the revocation', async () => {
    const { world, row } = await makeRevealed();
    world.mine();
    world.chain.revokeAttestation(alice.authorityAddress, 1);
    const revokedAt = new Date(world.chain.newest.timestamp * 1000).toISOString();
    world.mine(3);
    await confirmStep(world.services, row);
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', error: null, revokedAt });
  });

  test('leaves the attestation confirmed if it runs concurrently with a settlement, in any order', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const world = makeWorld();
      const row = await startCommit(world, alice);
      world.chain.attest(alice.authorityAddress, row.digest);
      world.mine(3);
      await interleave(world.services, seed, [
        (services) => confirmStep(services, row),
        (services) => tick({ ...world, services }),
      ]);
      await tick(world);
      const confirmed = await world.row(row);
      expect(confirmed).toMatchObject({ status: 'confirmed', error: null, commitPhase: 'final' });
      expect(confirmed).not.toHaveProperty('checkAt');
    }
  });
});

describe('failing an attestation', () => {
  const fail = (world: World, row: { organizationId: string; id: string }) =>
    failAttestation(world.services, row, 'some reason');

  test('takes one write if nothing was queued, and is permanent', async () => {
    const world = makeWorld();
    const { attestation } = await world.create(alice, 'An article.');
    await fail(world, attestation);
    await failAttestation(world.services, attestation, 'another reason');
    await confirmStep(world.services, attestation);
    expect(await world.row(attestation)).toMatchObject({ status: 'failed', error: 'some reason' });
    expect(await world.row(attestation)).not.toHaveProperty('checkAt');
  });

  test('withdraws a queued operation', async () => {
    const world = makeWorld();
    world.chain.baseFee *= 1000n;
    const row = await startCommit(world, alice);
    await fail(world, row);
    expect(await world.row(row)).toMatchObject({ status: 'failed', commitPhase: 'refused' });
    expect(await world.owes()).toBe(false);
    world.chain.baseFee /= 1000n;
    await mineAndTick(world, 3);
    expect(minedCalls(world)).toEqual([]);
  });

  test('is not possible while an operation is in a transaction', async () => {
    const world = makeWorld();
    const row = await startCommit(world, alice);
    await expect(fail(world, row)).rejects.toThrow(OperationBoundError);
    expect((await world.row(row)).status).toBe('pending');
  });

  test('is not possible once the reveal is mined or the registry has the content', async () => {
    const { world, row } = await makeRevealed();
    await mineAndTick(world);
    await expect(fail(world, row)).rejects.toThrow(OperationBoundError);
    await mineAndTick(world, 3);
    await expect(fail(world, row)).rejects.toThrow(OperationBoundError);
  });

  test('between commit and reveal leaves no reveal queued', async () => {
    const world = makeWorld();
    const row = await commitOne(world, alice);
    await fail(world, row);
    await reveal(world, row);
    await mineAndTick(world, 3);
    expect(minedCalls(world)).toEqual(['commit']);
    expect((await world.row(row)).status).toBe('failed');
  });

  test('concurrent with binding, in any order, is rejected or leaves nothing in a transaction', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const world = makeWorld();
      world.chain.baseFee *= 1000n;
      const row = await startCommit(world, alice);
      world.chain.baseFee /= 1000n;
      const [failing] = await interleave(world.services, seed, [
        (services) => failAttestation(services, row, 'some reason'),
        (services) => dispatchQueue(services, world.queue),
      ]);
      const { status } = await world.row(row);
      const bound = await unsettledTransactions(world);
      expect([failing?.status, status, bound.length]).toEqual(
        status === 'failed' ? ['fulfilled', 'failed', 0] : ['rejected', 'pending', 1],
      );
    }
  });

  test('concurrent with queueing, in any order, is rejected or leaves nothing queued or sent', async () => {
    for (let seed = 0; seed < 100; seed++) {
      const world = makeWorld();
      const { attestation } = await world.create(alice, 'An article.');
      await interleave(world.services, seed, [
        (services) => failAttestation(services, attestation, 'some reason'),
        (services) => commitStep(services, { ...attestation, taskToken: 'commit' }),
      ]);
      const { status } = await world.row(attestation);
      expect([status, await world.owes()]).toEqual(
        status === 'failed' ? ['failed', false] : ['pending', true],
      );
    }
  });

  test('concurrent with Confirm, in any order, leaves the first result', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const world = makeWorld();
      const { attestation } = await world.create(alice, 'An article.');
      world.chain.attest(alice.authorityAddress, attestation.digest);
      world.mine(3);
      await interleave(world.services, seed, [
        (services) => failAttestation(services, attestation, 'some reason'),
        (services) => confirmStep(services, attestation),
      ]);
      const { status, error, attestationIndex } = await world.row(attestation);
      const expected = status === 'failed' ? ['some reason', undefined] : [null, 1];
      expect([error, attestationIndex]).toEqual(expected);
    }
  });

  test('because of an internal error shows a reference, and only the log contains the error’s name', async () => {
    const world = makeWorld();
    const { attestation } = await world.create(alice, 'An article.');
    const { organizationId, id } = attestation;
    await failStep(world.services, { organizationId, id, error: 'TypeError', executionName: `${id}-1` });
    expect((await world.row(attestation)).error).toBe(
      `internal error (reference ${id}-1); submit the content again`,
    );
    expect(world.log.lines.at(-1)).toMatchObject({ level: 'error', error: new Error('TypeError') });
  });
});

function attestItself({ chain, mine }: World, { digest }: { digest: `0x${string}` }): void {
  chain.attest(alice.authorityAddress, digest);
  mine(chain.settings.confirmations);
}

test('a Reveal of a confirmed attestation reveals nothing', async () => {
  const world = makeWorld();
  const row = await commitOne(world, alice);
  attestItself(world, row);
  await confirmStep(world.services, row);
  await expect(reveal(world, row)).rejects.toThrow(AlreadyAttestedError);
  expect(await world.row(row)).not.toHaveProperty('revealPhase');
  expect(await world.owes()).toBe(false);
});

test('a Commit of a confirmed attestation commits nothing, whatever a provider shows', async () => {
  const world = makeWorld();
  const { attestation: row } = await world.create(alice, 'An article.');
  attestItself(world, row);
  await confirmStep(world.services, row);
  world.chain.lagBlocks = 2 * world.chain.settings.confirmations;
  const late = commitStep(world.services, { ...row, taskToken: 'late' });
  await expect(late).rejects.toThrow(AlreadyAttestedError);
  expect(await world.row(row)).not.toHaveProperty('commitPhase');
  expect(await world.owes()).toBe(false);
});

test('a Fail that read the attestation before its confirmation leaves it confirmed, although its commit waits', async () => {
  const world = makeWorld();
  await pauseLane(world.services, world.lane);
  const row = await startCommit(world, alice);
  const records = interrupt<Records>(world.records, 'transact', () => {
    attestItself(world, row);
    return confirmStep(world.services, row);
  });
  const failing = failAttestation({ ...world.services, records }, row, 'some reason');
  await expect(failing).rejects.toThrow(OperationBoundError);
  expect(await world.row(row)).toMatchObject({ status: 'confirmed', error: null });
});
