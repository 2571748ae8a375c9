import { describe, expect, test } from 'vitest';
import { durationText } from '../../../../functions/domain/age-limits.ts';
import { checkLater } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { findLaneState } from '../../../../functions/domain/lane/lane-records.ts';
import { listOperations, putOperation } from '../../../../functions/domain/lane/queue-records.ts';
import { cancelTransaction } from '../../../../functions/domain/operator/cancel-transaction.ts';
import { activateSigner, revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { needsOperator } from '../../../../functions/domain/operator/describe-wait.ts';
import { pauseLane } from '../../../../functions/domain/operator/lane-control.ts';
import { readLaneStatus } from '../../../../functions/domain/operator/read-lane-status.ts';
import { addKey, enqueue, mineAndTick, startCommit } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, forwarderAddress, makeWorld, type World } from '../../../fakes/world/world.ts';

const gwei = 1_000_000_000n;

const statusOf = (world: World) => readLaneStatus(world.services, world.lane);

describe('the status of a lane', () => {
  test('creates no record for a lane that has none', async () => {
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

  test('shows sent and mined transactions, and fees', async () => {
    const world = makeWorld({ maxInFlight: 1, dailyFeeBudget: 5 });
    world.chain.setBalance(world.signer.address, 7n * 10n ** 18n);
    const first = await startCommit(world, alice, 'first');
    await mineAndTick(world);
    await startCommit(world, bob, 'second');
    const third = await startCommit(world, alice, 'third');
    const status = await statusOf(world);
    const { commitTxHash } = await world.row(first);
    expect(status).toMatchObject({
      nonces: { next: 2, mined: 1, final: 0 },
      unsettled: [
        { nonce: 0, state: 'mined', operationCount: 1, attemptCount: 1, hash: commitTxHash },
        {
          ...{ nonce: 1, state: 'pending', operationCount: 1, attemptCount: 1, canceling: false },
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

  test('leaves out yesterday’s spending', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    world.clock.advance(86_400);
    expect((await statusOf(world)).spentTodayWei).toBe(0n);
  });

  test('counts at most a thousand queued operations', async () => {
    const world = makeWorld();
    const queuedAt = '2026-01-01T00:00:00.000Z';
    for (let round = 0; round < 1_001; round++) {
      const operation = { organizationId: 'a', id: 'b', kind: 'commit', queuedAt, round } as const;
      await world.records.update(putOperation(world.queue, operation));
    }
    expect((await statusOf(world)).queues).toMatchObject([{ length: 1_000, more: true }]);
  });

  test('shows when postponed operations are retried', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    await mineAndTick(world, 10);
    await enqueue(world, alice, 1, 'another');
    const retryAt = new Date(world.clock.now().getTime() + 200_000).toISOString();
    for (const operation of await listOperations(world, world.queue, 1))
      await world.records.update(putOperation(world.queue, { ...operation, retryAt }));
    expect(await statusOf(world)).toMatchObject({
      waitingFor: `${retryAt}: no queued operation can be sent before then`,
      queues: [{ length: 1, nextTryAt: retryAt }],
    });
  });

  test('leaves out the queue that now belongs to another signer’s lane', async () => {
    const world = makeWorld({ forwarder: true });
    await enqueue(world, alice, 1, 'first');
    const before = (await statusOf(world)).queues.map(({ delegateAddress }) => delegateAddress);
    expect(before).toContain(world.delegateAddress);
    await activateSigner(world.services, chainId, addKey(world));
    const status = await statusOf(world);
    expect(status).toMatchObject({ signerState: 'draining', retired: 'draining', waitingFor: 'nothing' });
    expect(status.queues.map(({ delegateAddress }) => delegateAddress)).not.toContain(world.delegateAddress);
  });

  test('shows everything that is stored, even while the chain cannot be reached', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    world.chain.unreachable = true;
    expect(await statusOf(world)).toMatchObject({
      chain: null,
      nonces: { next: 1, mined: 0, final: 0 },
      unsettled: [{ nonce: 0 }],
      waitingFor: 'chain unreachable',
    });
  });
});

describe('the ages in a lane’s status', () => {
  const none = { unminedSeconds: null, queuedSeconds: null, unfinishedSeconds: null };

  test('are of the newest block and of the oldest waiting items', async () => {
    const world = makeWorld({ maxInFlight: 1 });
    expect(await statusOf(world)).toMatchObject({ chain: { headAgeSeconds: 0 }, oldest: none });
    await world.create(bob, 'not queued');
    world.clock.advance(30);
    await startCommit(world, alice, 'sent');
    world.clock.advance(20);
    await startCommit(world, bob, 'queued');
    world.clock.advance(10);
    await startCommit(world, alice, 'queued later');
    expect(await statusOf(world)).toMatchObject({
      chain: { headAgeSeconds: 60 },
      oldest: { unminedSeconds: 30, queuedSeconds: 10, unfinishedSeconds: 60 },
    });
  });

  test('leave out mined, finished and other chains’ items', async () => {
    const world = makeWorld();
    const ended = await startCommit(world, alice, 'ended');
    await mineAndTick(world);
    // The index may lag behind a terminal status.
    await world.records.update({ key: attestationRow(ended), set: { status: 'failed' } });
    const { attestation } = await world.create(bob, 'of another chain');
    await world.records.update({ key: attestationRow(attestation), set: { chainId: 5 } });
    expect((await statusOf(world)).oldest).toEqual(none);
    await world.create(bob, 'of this one');
    expect((await statusOf(world)).oldest).toEqual({ ...none, unfinishedSeconds: 0 });
  });

  test('include the chain’s oldest attestation, even if many of another chain are older and many are due earlier', async () => {
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

interface WaitCase {
  readonly for: string | RegExp;
  readonly options?: Parameters<typeof makeWorld>[0];
  /** What happens to an attestation of alice before `when`. */
  readonly first?: (world: World, caller: typeof alice) => Promise<unknown>;
  readonly when?: (world: World) => unknown;
}

const low = { maxFeePerGasGwei: 20 };
const spendAll = ({ chain, signer }: World) => chain.setBalance(signer.address, 1n);
const raiseFees = ({ chain }: World) => {
  chain.baseFee = 50n * gwei;
};

const waits: WaitCase[] = [
  { for: 'the next block', first: startCommit, when: ({ clock }) => clock.advance(180) },
  {
    // A stale head has precedence over a pending transaction and missing funds.
    for: 'a new block: the newest is 23 h old',
    first: startCommit,
    when: (world) => {
      world.clock.advance(23 * 3_600 + 180);
      spendAll(world);
    },
  },
  {
    for: 'another signer: this one is revoked',
    options: { forwarder: true },
    first: enqueue,
    when: ({ services, signer }) => revokeSigner(services, chainId, signer.address, { force: true }),
  },
  {
    // The lane drains, but authorities delegate to its key.
    for: "the lane's next tick",
    options: { delegates: [forwarderAddress, 'key'] },
    first: enqueue,
    when: ({ services }) =>
      activateSigner(services, chainId, { address: alice.authorityAddress, keyId: 'second' }),
  },
  {
    for: /^lower fees: no provider accepts the transaction with nonce 0, because it may cost 0\.\d+$/,
    when: (world) => {
      world.chain.poolRules.feeCap = 1n;
      return startCommit(world, alice);
    },
  },
  {
    for: 'finality of nonce 0 (2 of 3 confirmations)',
    first: startCommit,
    when: async (world) => {
      await mineAndTick(world);
      // The chain's clock is ahead.
      world.chain.mine(23 * 3_600);
    },
  },
  {
    for: 'nothing',
    first: startCommit,
    when: (world) => mineAndTick(world, 1 + world.chain.settings.confirmations),
  },
  {
    for: 'paused: the key is under investigation',
    when: ({ services, lane }) => pauseLane(services, lane, 'the key is under investigation'),
  },
  {
    // An address without a forwarder counts like a forwarder that does not know the key.
    for: `the forwarder ${forwarderAddress}, whose admin must add the key as an operator`,
    options: { forwarder: true },
    first: enqueue,
    when: ({ chain }) => {
      chain.isOperator = () => Promise.reject(new ChainUnreachableError(chainId));
    },
  },
  { for: /funds/, first: enqueue, when: spendAll },
  {
    for: /^funds: nonce 0 may cost 0\.\d+, and 0\.0{17}1 is on the key's account$/,
    first: startCommit,
    when: spendAll,
  },
  {
    for: /^lower fees: the current fees are above the cap of 20 gwei since 2026-\S+Z$/,
    options: low,
    when: (world) => {
      raiseFees(world);
      return startCommit(world, alice);
    },
  },
  {
    for: 'lower fees: the current fees are above the cap of 20 gwei',
    options: low,
    first: startCommit,
    when: raiseFees,
  },
  {
    for: 'fee budget of 0.000001 a day is used up',
    options: { dailyFeeBudget: 0.000_001 },
    first: startCommit,
  },
  {
    for: 'the next block, or the cancellation of nonce 0',
    first: startCommit,
    when: ({ services, lane }) => cancelTransaction(services, lane),
  },
  {
    for: 'the receipt of nonce 0, which the chain shows as used',
    first: startCommit,
    when: (world) => {
      world.chain.hidesReceipts = true;
      world.mine();
    },
  },
];

test.each(waits)('the status of a lane shows the wait: $for', async ({ for: wait, options, first, when }) => {
  const world = makeWorld(options);
  await first?.(world, alice);
  await when?.(world);
  const { waitingFor } = await statusOf(world);
  const isUsual = /^(nothing|finality of|the (next block|lane's|receipt))/.test(waitingFor);
  expect(needsOperator(waitingFor)).toBe(!isUsual);
  if (typeof wait === 'string') expect(waitingFor).toBe(wait);
  else expect(waitingFor).toMatch(wait);
});

test.each([
  [-3, '0 s'],
  [119, '119 s'],
  [120, '2 min'],
  [7_199, '119 min'],
  [7_200, '2 h'],
  [23 * 3_600, '23 h'],
  [172_800, '2 days'],
])('`durationText` shows %i seconds as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
