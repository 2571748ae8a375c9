import { expect, test } from 'vitest';
import {
  AlreadyAttestedError,
  AttestationFailedError,
  RevealTooEarlyError,
} from '../../../../functions/domain/errors.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import {
  commitOne,
  mineAndTick,
  reveal,
  startCommit,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';

test('a reveal is not queued before the chain’s own clock has passed the delay', async () => {
  const world = makeWorld();
  const row = await startCommit(world, alice);
  await expect(reveal(world, row)).rejects.toThrow(RevealTooEarlyError);
  await mineAndTick(world, 5);
  world.clock.advance(1000);
  await expect(reveal(world, row)).rejects.toThrow(RevealTooEarlyError);
  expect(await world.row(row)).not.toHaveProperty('revealPhase');
  await mineAndTick(world);
  await reveal(world, row);
  expect((await world.row(row)).revealPhase).toBe('queued');
});

test('a reveal is sent immediately, its row shows when it is mined, and its waiting state continues when it is final', async () => {
  const world = makeWorld();
  const row = await commitOne(world, alice);
  await reveal(world, row);
  expect(await unsettledTransactions(world)).toHaveLength(1);
  await mineAndTick(world);
  const hash = world.chain.receipts()[1]?.hash;
  expect(await world.row(row)).toMatchObject({
    status: 'committed',
    revealPhase: 'mined',
    revealTxHash: hash,
  });
  expect(world.executions.answersTo('reveal')).toEqual([]);
  await mineAndTick(world, 2);
  expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'final' });
  expect(world.executions.answersTo('reveal')).toEqual([{ token: 'reveal', output: {} }]);
});

test('a Reveal that runs again, late or after the reveal is final, is answered without a second effect', async () => {
  const world = makeWorld();
  const row = await commitOne(world, alice);
  await reveal(world, row, 'first');
  await reveal(world, row, 'second');
  await mineAndTick(world, 5);
  await reveal(world, row, 'late');
  expect(minedCalls(world)).toEqual(['commit', 'reveal']);
  expect(world.executions.answersTo('second')).toEqual([{ token: 'second', output: {} }]);
  expect(world.executions.answersTo('late')).toEqual([{ token: 'late', output: {} }]);
});

test('a delegation revoked after the commit fails the attestation once the revocation is final, and no reveal is sent', async () => {
  const world = makeWorld();
  const row = await commitOne(world, alice);
  world.chain.revokeDelegation(alice.authorityAddress);
  await reveal(world, row);
  expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'queued' });
  await mineAndTick(world, 3);
  const failed = await world.row(row);
  expect(failed).toMatchObject({ status: 'failed', revealPhase: 'refused' });
  expect(failed.error).toMatch(
    /^delegation of 0x.* is not active; delegate again and submit the content again$/,
  );
  expect(world.executions.answersTo('reveal')).toEqual([
    { token: 'reveal', error: AttestationFailedError.name },
  ]);
  expect(minedCalls(world)).toEqual(['commit']);
  expect(world.chain.receipts()).toHaveLength(1);
  expect(await world.owes()).toBe(false);
  await reveal(world, row, 'late');
  expect(world.executions.answersTo('late')).toEqual([{ token: 'late', error: AttestationFailedError.name }]);
});

test('a reveal that is mined and reverts fails the attestation only when the revert is final', async () => {
  const world = makeWorld();
  const row = await commitOne(world, alice);
  await reveal(world, row);
  world.chain.revokeDelegation(alice.authorityAddress);
  await tick(world);
  expect(world.chain.receipts().at(-1)?.succeeded).toBe(false);
  expect((await world.row(row)).status).toBe('committed');
  await mineAndTick(world, 3);
  const revealTxHash = world.chain.receipts().at(-1)?.hash;
  expect(await world.row(row)).toMatchObject({ status: 'failed', revealPhase: 'refused', revealTxHash });
  expect((await world.row(row)).error).toContain('delegation of');
  expect(await world.owes()).toBe(false);
});

test('content that the authority revealed itself meanwhile ends as attested, not as failed', async () => {
  const world = makeWorld();
  const row = await commitOne(world, alice);
  world.chain.attest(alice.authorityAddress, row.digest);
  await reveal(world, row);
  await mineAndTick(world, 3);
  expect(world.executions.answersTo('reveal')).toEqual([
    { token: 'reveal', error: AlreadyAttestedError.name },
  ]);
  expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'unneeded', error: null });
  expect(minedCalls(world)).toEqual(['commit']);
});

test('a reveal ends as attested if it reverts because the authority attested the content itself first', async () => {
  const world = makeWorld();
  const row = await commitOne(world, alice);
  world.chain.forgetsSent = true;
  await reveal(world, row);
  world.chain.attest(alice.authorityAddress, row.digest);
  world.chain.forgetsSent = false;
  world.clock.advance(120);
  await mineAndTick(world, 6);
  expect(world.chain.receipts().at(-1)).toMatchObject({ succeeded: false, nonce: 1 });
  expect(world.executions.answersTo('reveal')).toEqual([
    { token: 'reveal', error: AlreadyAttestedError.name },
  ]);
  expect((await world.row(row)).status).toBe('committed');
});
