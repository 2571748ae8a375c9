import { describe, expect, test } from 'vitest';
import {
  AlreadyAttestedError,
  AttestationFailedError,
  AttestationMissingError,
  ChainUnreachableError,
  NotYetFinalError,
} from '../../../../functions/domain/errors.ts';
import { waitingQueues } from '../../../../functions/domain/lane/queue-records.ts';
import type { Services } from '../../../../functions/domain/services.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { mineAndTick, taskTokenOf, tick, unsettledTransactions } from '../../../fakes/world/steps.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';

const text = 'An article.';

async function createAttestation(given?: Parameters<typeof makeWorld>[0]) {
  const world = makeWorld(given);
  const { attestation } = await world.create(alice, text);
  const commit = (taskToken = 'commit') => commitStep(world.services, { ...attestation, taskToken });
  return { world, attestation, commit, row: () => world.row(attestation) };
}

describe('the Commit state', () => {
  test('sends the commit at once, starts the lane, and waits', async () => {
    const { world, commit, row } = await createAttestation();
    await commit();
    expect(await row()).toMatchObject({ status: 'pending', commitPhase: 'queued' });
    expect(await taskTokenOf(world, await row())).toMatchObject({ step: 'commit', taskToken: 'commit' });
    expect(world.chain.mempool.nonces()).toEqual([0]);
    expect(world.executions.started.at(-1)).toBe(`${world.lane}-1`);
    expect(world.executions.answers).toEqual([]);
  });

  test('receives the time of the reveal when the commit is mined, and the row is committed', async () => {
    const { world, commit, row } = await createAttestation();
    await commit();
    await mineAndTick(world);
    const { timestamp } = world.chain.newest;
    const revealAt = new Date((timestamp + 10) * 1000).toISOString();
    // A block later, because only the next block shows that the delay is over.
    const firstTry = new Date((timestamp + 12) * 1000).toISOString();
    expect(world.executions.answers).toEqual([{ token: 'commit', output: { revealAt: firstTry } }]);
    const hash = world.chain.receipts()[0]?.hash;
    expect(await row()).toMatchObject({ status: 'committed', commitTxHash: hash, commitPhase: 'mined' });
    await mineAndTick(world, 2);
    expect(await row()).toMatchObject({ status: 'committed', commitPhase: 'final', revealAt });
  });

  test('sends nothing if it runs again while it waits, and the newer token gets the answer', async () => {
    const { world, commit } = await createAttestation();
    await commit('first');
    await commit('second');
    expect((await unsettledTransactions(world)).length).toBe(1);
    await mineAndTick(world);
    expect(world.executions.answers.map(({ token }) => token)).toEqual(['second']);
  });

  test('whose lane cannot send waits until it can', async () => {
    const { world, commit, row } = await createAttestation();
    world.signer.failure = new Error('KMS is down');
    await commit();
    expect(await row()).toMatchObject({ commitPhase: 'queued' });
    world.signer.failure = undefined;
    await tick(world);
    await mineAndTick(world);
    expect(minedCalls(world)).toEqual(['commit']);
  });

  test('receives its answer when it runs again, if the first answer cannot be sent', async () => {
    const { world, commit, row } = await createAttestation();
    await commit();
    world.executions.answerFailure = new Error('throttled');
    await mineAndTick(world);
    expect(await row()).toMatchObject({ status: 'committed' });
    expect(JSON.stringify(world.log.lines)).toContain('task not answered');
    world.executions.answerFailure = undefined;
    await commit('again');
    expect(world.executions.answers).toMatchObject([{ token: 'again' }]);
  });

  test('answers at once if it runs late', async () => {
    const { world, commit } = await createAttestation();
    await commit('first');
    await mineAndTick(world);
    await commit('late');
    expect(world.executions.answersTo('late')[0]?.output?.revealAt).toBeDefined();
    await mineAndTick(world, 5);
    expect(minedCalls(world)).toEqual(['commit']);
  });

  test('queues one operation and sends one transaction if it runs several times concurrently', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const { world, attestation } = await createAttestation();
      const steps = ['a', 'b', 'c'].map(
        (taskToken) => (services: Services) => commitStep(services, { ...attestation, taskToken }),
      );
      await interleave(world.services, seed, steps);
      await tick(world);
      await mineAndTick(world, 4);
      expect(minedCalls(world)).toEqual(['commit']);
      expect(await world.owes()).toBe(false);
      // The token that came last is the one that waits.
      const { taskToken } = await taskTokenOf(world, attestation);
      expect(world.executions.answersTo(taskToken).length).toBeGreaterThan(0);
    }
  });

  test('gets an answer to its token whatever the order of the state and the settlement', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const { world, attestation, commit } = await createAttestation();
      await commit('first');
      world.mine();
      await interleave(world.services, seed, [
        (services) => tick({ ...world, services }),
        (services) => commitStep(services, { ...attestation, taskToken: 'second' }),
      ]);
      expect(world.executions.answersTo('second').length).toBeGreaterThan(0);
      expect(world.executions.answersTo('second').every(({ output }) => output?.revealAt)).toBe(true);
    }
  });

  test('of a missing attestation fails with `AttestationMissingError`', async () => {
    const { services } = makeWorld();
    const input = { organizationId: alice.organizationId, id: 'none', taskToken: 't' };
    await expect(commitStep(services, input)).rejects.toThrow(AttestationMissingError);
  });

  test('of a failed attestation reports the failure and sends nothing', async () => {
    const failed = await createAttestation();
    await failAttestation(failed.world.services, failed.attestation, 'some reason');
    await failed.commit('late');
    expect(failed.world.executions.answers).toEqual([{ token: 'late', error: AttestationFailedError.name }]);
    expect(await failed.world.owes()).toBe(false);
  });
});

describe('the check of the registry before the commit', () => {
  test('sends nothing if the authority attested the content meanwhile', async () => {
    const { world, attestation, commit } = await createAttestation();
    world.chain.attest(alice.authorityAddress, attestation.digest);
    await expect(commit()).rejects.toThrow(NotYetFinalError);
    world.mine(3);
    await expect(commit()).rejects.toThrow(AlreadyAttestedError);
    expect(await waitingQueues(world.records, [world.queue])).toEqual([]);
    expect((await world.row(attestation)).status).toBe('pending');
  });

  test('fails the attestation once the revocation of its delegation is final', async () => {
    const { world, commit, row } = await createAttestation();
    world.chain.revokeDelegation(alice.authorityAddress);
    await expect(commit()).rejects.toThrow(NotYetFinalError);
    expect((await row()).status).toBe('pending');
    world.mine(3);
    await expect(commit()).rejects.toThrow(AttestationFailedError);
    expect(await row()).toMatchObject({
      status: 'failed',
      error:
        `delegation of ${alice.authorityAddress} to ${world.signer.address} on chain 31337 is not active; ` +
        'delegate again and submit the content again',
    });
    expect(await row()).not.toHaveProperty('checkAt');
    expect(minedCalls(world)).toEqual([]);
  });

  test('accepts a delegation that was renewed in the newest block', async () => {
    const { world, commit, row } = await createAttestation();
    world.chain.revokeDelegation(alice.authorityAddress);
    world.mine(3);
    world.chain.delegate(alice.authorityAddress, world.signer.address);
    await commit();
    expect((await row()).commitPhase).toBe('queued');
  });

  test('throws `ChainUnreachableError` while the chain is unreachable, and queues nothing', async () => {
    const { world, commit, row } = await createAttestation();
    world.chain.unreachable = true;
    await expect(commit()).rejects.toThrow(ChainUnreachableError);
    expect(await row()).not.toHaveProperty('commitPhase');
  });
});
