import { formatEther } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { CallRevertedError } from '../../../../functions/domain/errors.ts';
import { cancelTransaction } from '../../../../functions/domain/operator/cancel-transaction.ts';
import { override } from '../../../fakes/ports/port-overrides.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  enqueue,
  mineAndTick,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
  withChain,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

const gwei = 1_000_000_000n;
const plenty = 10n ** 20n;

/** Binds a commit to a transaction, without signing it. */
async function bindUnsigned(world: World): Promise<void> {
  const down = override(world.signer, { sign: () => Promise.reject(new Error('KMS is down')) });
  world.signers.set('down', down);
  await enqueue(world, alice, 1);
  const services = { ...world.services, signer: async () => down };
  await dispatchQueue(services, world.queue).catch(() => undefined);
  expect(await unsettledTransactions(world)).toMatchObject([{ attempts: [] }]);
}

test('the wait for lower fees restarts when fees fell while the lane had no funds', async () => {
  const world = makeWorld({ maxFeePerGasGwei: 50 });
  world.chain.baseFee = 60n * gwei;
  const row = await startCommit(world, alice);
  world.chain.setBalance(world.signer.address, 0n);
  world.chain.baseFee = 5n * gwei;
  for (let hour = 0; hour < 25; hour++) {
    world.clock.advance(3600);
    await tick(world);
  }
  world.chain.setBalance(world.signer.address, plenty);
  world.chain.baseFee = 60n * gwei;
  await tick(world);
  expect(await world.row(row)).toMatchObject({ status: 'pending', error: null });
});

test('yesterday’s reservations do not reduce today’s budget', async () => {
  const world = makeWorld({ confirmations: 30, maxInFlight: 16, dailyFeeBudget: 10 });
  world.clock.moveTo(new Date('2026-01-01T23:58:00Z'));
  for (let n = 0; n < 8; n++) await startCommit(world, alice, `old ${n}`);
  await mineAndTick(world);
  world.clock.moveTo(new Date('2026-01-02T00:00:10Z'));
  for (let n = 0; n < 8; n++) await startCommit(world, bob, `new ${n}`);
  await mineAndTick(world, 60);
  const paidToday = world.chain.receipts().slice(8);
  const { spent } = await stateOf(world);
  expect(paidToday).toHaveLength(8);
  expect(spent).toEqual({
    day: '2026-01-02',
    wei: String(paidToday.reduce((sum, receipt) => sum + receipt.fee, 0n)),
  });
});

describe('a cancellation', () => {
  test('needs funds only for its own gas', async () => {
    const world = makeWorld({ forwarder: true });
    world.chain.minTip = 1000n * gwei;
    await enqueue(world, alice, 90);
    await dispatchQueue(world.services, world.queue);
    const [stuck] = await unsettledTransactions(world);
    world.chain.setBalance(world.signer.address, 600_000n * (stuck?.attempts[0]?.maxFeePerGas ?? 0n));
    await cancelTransaction(world.services, world.lane);
    await tick(world);
    expect((await unsettledTransactions(world))[0]?.attempts.at(-1)?.cancels).toBe(true);
  });

  test('of an unsigned transaction may cost twice the cap', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 50 });
    await bindUnsigned(world);
    world.chain.baseFee = 60n * gwei;
    world.clock.advance(25 * 3600);
    await tick(world);
    expect((await unsettledTransactions(world))[0]?.attempts.at(-1)?.cancels).toBe(true);
  });
});

test('an unsigned transaction waits for funds, and a log line reports it', async () => {
  const world = makeWorld();
  await bindUnsigned(world);
  world.chain.setBalance(world.signer.address, 0n);
  await tick(world);
  expect(await unsettledTransactions(world)).toMatchObject([{ attempts: [] }]);
  expect(world.log.messages('error')).toContain('lane cannot pay');
  world.chain.setBalance(world.signer.address, plenty);
  await tick(world);
  expect(await unsettledTransactions(world)).toMatchObject([
    { attempts: [{ signedAtBlock: expect.any(Number) }] },
  ]);
});

test('a node that refuses to estimate a large batch gets smaller ones', async () => {
  const world = makeWorld({ forwarder: true });
  world.chain.gasPerOperation = 180_000n;
  await enqueue(world, alice, 96);
  const simulate: Chain['simulate'] = async (call, route) => {
    const answer = await world.chain.simulate(call, route);
    if ((answer.gas ?? 0n) <= 4_000_000n) return answer;
    throw new CallRevertedError('more gas than a transaction may use');
  };
  await dispatchQueue(withChain(world, { simulate }), world.queue);
  expect(await unsettledTransactions(world)).toHaveLength(world.chain.settings.maxInFlight);
});

test('a transaction that is final again after a reorg counts with its last fee', async () => {
  const world = makeWorld({ confirmations: 2, dailyFeeBudget: 10 });
  const before = world.chain.newest.number;
  await startCommit(world, alice, 'one');
  await mineAndTick(world, 4);
  for (const baseFee of [18n * gwei, 5n * gwei]) {
    world.chain.baseFee = baseFee;
    world.chain.reorganize(world.chain.newest.number - before, {});
    await mineAndTick(world, 8);
  }
  const paid = world.chain.receipts().reduce((sum, { fee }) => sum + fee, 0n);
  expect((await stateOf(world)).spent?.wei).toBe(String(paid));
});

test('a lane that has spent four fifths of its daily budget logs a warning, and continues to send', async () => {
  const warning = 'lane near its fee budget';
  const budgetOf = async (dailyFeeBudget?: number) => {
    const world = makeWorld(dailyFeeBudget === undefined ? {} : { dailyFeeBudget });
    await startCommit(world, alice);
    expect(await unsettledTransactions(world)).toHaveLength(1);
    return { wei: BigInt((await stateOf(world)).spent?.wei ?? 0n), warnings: world.log.messages('warn') };
  };
  const { wei, warnings } = await budgetOf();
  expect(warnings).not.toContain(warning);
  const coins = Number(formatEther(wei));
  expect((await budgetOf(coins * 1.3)).warnings).not.toContain(warning);
  expect((await budgetOf(coins * 1.2)).warnings).toContain(warning);
});
