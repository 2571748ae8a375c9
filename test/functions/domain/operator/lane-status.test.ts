import { describe, expect, test } from 'vitest';
import { durationText } from '../../../../functions/domain/age-limits.ts';
import { checkLater } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { findLaneState } from '../../../../functions/domain/lane/lane-records.ts';
import { listOperations, putOperation } from '../../../../functions/domain/lane/queue-records.ts';
import { cancelTransaction } from '../../../../functions/domain/operator/cancel-transaction.ts';
import { activateSigner, revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { pauseLane } from '../../../../functions/domain/operator/lane-control.ts';
import { readLaneStatus } from '../../../../functions/domain/operator/read-lane-status.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { FakeSigner } from '../../../fakes/ports/fake-signer.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { committing, mineAndTick, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, forwarderAddress, makeWorld, type World } from '../../../fakes/world/world.ts';

const gwei = 1_000_000_000n;

const statusOf = (world: World) => readLaneStatus(world.services, world.lane);
const waitOf = async (world: World) => (await statusOf(world)).waitingFor;

/** A commit that waits in the queue. */
async function queued(world: World, text: string): Promise<void> {
  const { attestation } = await world.create(alice, text);
  await queueOperation(world.services, attestation, 'commit');
}

describe('the status of a lane', () => {
  test('makes no record of a lane that has none', async () => {
    const world = makeWorld();
    expect(await statusOf(world)).toMatchObject({
      lane: world.lane,
      signerAddress: world.signer.address,
      signerState: 'active',
      paused: null,
      retired: null,
      nonces: null,
      unsettled: [],
      queues: [{ delegateAddress: world.signer.address, length: 0, more: false, oldestQueuedAt: null }],
      lastReceipt: null,
      waitingFor: 'nothing',
    });
    expect(await findLaneState(world.records, world.lane)).toBeUndefined();
  });

  test('shows what is sent, at what price, and what is mined', async () => {
    const world = makeWorld({ maxInFlight: 1, dailyFeeBudget: 5 });
    world.chain.setBalance(world.signer.address, 7n * 10n ** 18n);
    const first = await committing(world, alice, 'first');
    await mineAndTick(world);
    await committing(world, bob, 'second');
    const third = await committing(world, alice, 'third');
    const status = await statusOf(world);
    const { commitTxHash } = await world.row(first);
    expect(status).toMatchObject({
      nonces: { next: 2, mined: 1, final: 0 },
      unsettled: [
        { nonce: 0, state: 'mined', operationCount: 1, attemptCount: 1, hash: commitTxHash },
        {
          ...{ nonce: 1, state: 'open', operationCount: 1, attemptCount: 1, cancelling: false },
          ...{ hash: expect.stringMatching(/^0x/), sentAt: expect.stringContaining('T') },
          fees: { maxPriorityFeePerGas: gwei },
        },
      ],
      queues: [{ length: 1, more: false, oldestQueuedAt: expect.stringContaining('T') }],
      chain: {
        headNumber: world.chain.newest.number,
        transactionCount: 1,
        baseFeeWei: 10n * gwei,
        tipWei: gwei,
      },
      feeCapGwei: 200,
      dailyFeeBudget: 5,
      lastReceipt: { hash: commitTxHash, blockNumber: world.chain.newest.number },
    });
    expect(status.chain?.balanceWei).toBeLessThan(7n * 10n ** 18n);
    expect(status.spentTodayWei).toBeGreaterThan(0n);
    expect((await world.row(third)).commitPhase).toBe('queued');
  });

  test('forgets what was spent yesterday', async () => {
    const world = makeWorld();
    await committing(world, alice);
    world.clock.advance(86_400);
    expect((await statusOf(world)).spentTodayWei).toBe(0n);
  });

  test('counts a thousand queued operations and no more', async () => {
    const world = makeWorld();
    const queuedAt = '2026-01-01T00:00:00.000Z';
    for (let round = 0; round < 1_001; round++) {
      const operation = { organizationId: 'a', id: 'b', kind: 'commit', queuedAt, round } as const;
      await world.records.update(putOperation(world.queue, operation));
    }
    expect((await statusOf(world)).queues).toMatchObject([{ length: 1_000, more: true }]);
  });

  test('says when what is put off is tried again', async () => {
    const world = makeWorld();
    await committing(world, alice);
    await mineAndTick(world, 10);
    const { attestation } = await world.create(alice, 'another');
    await queueOperation(world.services, attestation, 'commit');
    const retryAt = new Date(world.clock.now().getTime() + 200_000).toISOString();
    for (const operation of await listOperations(world, world.queue, 1))
      await world.records.update(putOperation(world.queue, { ...operation, retryAt }));
    expect(await statusOf(world)).toMatchObject({
      waitingFor: `${retryAt}: nothing that is queued can go before`,
      queues: [{ length: 1, nextTryAt: retryAt }],
    });
  });

  test("leaves out the queue that another signer's lane has now", async () => {
    const world = makeWorld({ forwarder: true });
    await queued(world, 'first');
    const before = (await statusOf(world)).queues.map(({ delegateAddress }) => delegateAddress);
    expect(before).toContain(world.delegateAddress);
    const second = new FakeSigner(`0x${'b2'.repeat(32)}`);
    world.signers.set('second', second);
    await activateSigner(world.services, chainId, { address: second.address, keyId: 'second' });
    const status = await statusOf(world);
    expect(status).toMatchObject({ signerState: 'draining', retired: 'draining', waitingFor: 'nothing' });
    expect(status.queues.map(({ delegateAddress }) => delegateAddress)).not.toContain(world.delegateAddress);
  });

  test('tells all that the store knows while the chain cannot be reached', async () => {
    const world = makeWorld();
    await committing(world, alice);
    world.chain.unreachable = true;
    expect(await statusOf(world)).toMatchObject({
      chain: null,
      nonces: { next: 1, mined: 0, final: 0 },
      unsettled: [{ nonce: 0 }],
      waitingFor: 'chain unreachable',
    });
  });
});

describe('the ages in the status of a lane', () => {
  const none = { unminedSeconds: null, queuedSeconds: null, unfinishedSeconds: null };

  test('are those of the newest block and of what has waited longest', async () => {
    const world = makeWorld({ maxInFlight: 1 });
    expect(await statusOf(world)).toMatchObject({ chain: { headAgeSeconds: 0 }, oldest: none });
    await world.create(bob, 'not queued');
    world.clock.advance(30);
    await committing(world, alice, 'sent');
    world.clock.advance(20);
    await committing(world, bob, 'queued');
    world.clock.advance(10);
    await committing(world, alice, 'queued later');
    expect(await statusOf(world)).toMatchObject({
      chain: { headAgeSeconds: 60 },
      oldest: { unminedSeconds: 30, queuedSeconds: 10, unfinishedSeconds: 60 },
    });
  });

  test('leave out what is mined, what has ended, and what is of another chain', async () => {
    const world = makeWorld();
    const ended = await committing(world, alice, 'ended');
    await mineAndTick(world);
    // The index may lag behind a terminal status.
    await world.records.update({ key: attestationRow(ended), set: { status: 'failed' } });
    const { attestation } = await world.create(bob, 'of another chain');
    await world.records.update({ key: attestationRow(attestation), set: { chainId: 5 } });
    expect((await statusOf(world)).oldest).toEqual(none);
    await world.create(bob, 'of this one');
    expect((await statusOf(world)).oldest).toEqual({ ...none, unfinishedSeconds: 0 });
  });

  test('tell the oldest attestation though many others are older or looked at before it', async () => {
    const world = makeWorld();
    for (let number = 0; number < 60; number++) {
      const { attestation } = await world.create(bob, `article ${number} of another chain`);
      await world.records.update({ key: attestationRow(attestation), set: { chainId: 5 } });
    }
    world.clock.advance(60);
    const { attestation } = await world.create(alice, 'the oldest');
    await world.records.update({
      key: attestationRow(attestation),
      set: checkLater(new Date(world.clock.now().getTime() + 3_600_000)),
    });
    world.clock.advance(60);
    for (let number = 0; number < 60; number++) await world.create(bob, `article ${number}`);
    expect((await statusOf(world)).oldest.unfinishedSeconds).toBe(60);
  });
});

describe('a lane waits for', () => {
  test('a new block, when the newest is old, rather than for anything else on the chain', async () => {
    const world = makeWorld();
    await committing(world, alice);
    world.clock.advance(180);
    expect(await waitOf(world)).toBe('the next block');
    world.clock.advance(23 * 3_600);
    world.chain.setBalance(world.signer.address, 1n);
    expect(await waitOf(world)).toBe('a new block: the newest is 23 h old');
    await mineAndTick(world);
    world.chain.mine(23 * 3_600);
    expect(await waitOf(world)).not.toContain('a new block');
  });

  test('another signer, when the last one is revoked', async () => {
    const world = makeWorld({ forwarder: true });
    await queued(world, 'first');
    await revokeSigner(world.services, chainId, world.signer.address, { force: true });
    expect(await waitOf(world)).toBe('another signer: this one is revoked');
  });

  test('its next tick, though it drains, when authorities delegate to its key', async () => {
    const world = makeWorld({ delegates: ['0x2222222222222222222222222222222222222222', 'key'] });
    await queued(world, 'first');
    await activateSigner(world.services, chainId, { address: alice.authorityAddress, keyId: 'second' });
    expect(await statusOf(world)).toMatchObject({
      retired: 'draining',
      waitingFor: "the lane's next turn",
      queues: [{ delegateAddress: world.signer.address, length: 1 }],
    });
  });

  test('lower fees, when every provider refuses what its transaction may cost', async () => {
    const world = makeWorld();
    world.chain.poolRules.feeCap = 1n;
    await committing(world, alice);
    expect(await waitOf(world)).toMatch(/^lower fees: every provider refuses what nonce 0 may cost, 0\.\d+$/);
    world.chain.poolRules.feeCap = 10n ** 18n;
    await mineAndTick(world, 40);
    expect(await waitOf(world)).not.toContain('lower fees');
  });

  test('the next block, then finality, then nothing', async () => {
    const world = makeWorld();
    await committing(world, alice);
    expect(await waitOf(world)).toBe('the next block');
    await mineAndTick(world);
    expect(await waitOf(world)).toBe('finality of nonce 0 (1 of 3 confirmations)');
    await mineAndTick(world, world.chain.settings.confirmations);
    expect(await waitOf(world)).toBe('nothing');
  });

  test('whoever paused it', async () => {
    const world = makeWorld();
    await pauseLane(world.services, world.lane, 'the key is looked into');
    expect(await waitOf(world)).toBe('paused: the key is looked into');
  });

  test('a forwarder that is none, as one that does not know the key', async () => {
    const world = makeWorld({ forwarder: true });
    const { attestation } = await world.create(alice, 'queued');
    await queueOperation(world.services, attestation, 'commit');
    const isOperator = async () => {
      throw new ChainUnreachableError(chainId);
    };
    const chain = overriding<Chain>(world.chain, { isOperator });
    const { waitingFor } = await readLaneStatus({ ...world.services, chain: () => chain }, world.lane);
    expect(waitingFor).toBe(
      `the forwarder ${forwarderAddress}, whose owner has to make the key its operator`,
    );
  });

  test('funds, before it assigns a nonce and after', async () => {
    const world = makeWorld();
    world.chain.setBalance(world.signer.address, 1n);
    await queued(world, 'first');
    expect(await waitOf(world)).toMatch(/funds/);
    world.chain.setBalance(world.signer.address, 10n ** 18n);
    // Else the block in which the money goes would have it.
    world.chain.minTip = 1_000n * gwei;
    await tick(world);
    world.chain.setBalance(world.signer.address, 1n);
    expect(await waitOf(world)).toMatch(
      /^funds: nonce 0 may cost 0\.\d+, and 0\.0{17}1 is on the key's account$/,
    );
  });

  test('fees to fall below the cap, since when they are above', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 20 });
    world.chain.baseFee = 50n * gwei;
    await committing(world, alice);
    const since = world.clock.now().toISOString();
    expect(await waitOf(world)).toBe(`fees above the cap of 20 gwei since ${since}`);
  });

  test('fees to fall below the cap with a transaction out', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 20 });
    await committing(world, alice);
    world.chain.baseFee = 50n * gwei;
    expect(await waitOf(world)).toBe('fees above the cap of 20 gwei');
  });

  test('the next day, when the budget is used up', async () => {
    const world = makeWorld({ dailyFeeBudget: 0.000_001 });
    await committing(world, alice);
    expect(await waitOf(world)).toBe('fee budget of 0.000001 a day is used up');
  });

  test('its cancellation, once asked for', async () => {
    const world = makeWorld();
    await committing(world, alice);
    await cancelTransaction(world.services, world.lane);
    expect(await waitOf(world)).toBe('the next block, or the cancellation of nonce 0');
  });

  test('a receipt that the provider does not show yet', async () => {
    const world = makeWorld();
    await committing(world, alice);
    world.chain.hidesReceipts = true;
    world.mine();
    expect(await waitOf(world)).toBe('the receipt of nonce 0, which the chain shows as used');
  });
});

test.each([
  [-3, '0 s'],
  [119, '119 s'],
  [120, '2 min'],
  [7_199, '119 min'],
  [7_200, '2 h'],
  [23 * 3_600, '23 h'],
  [172_800, '2 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
