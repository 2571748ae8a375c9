import { formatEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { coinsToWei } from '../../../../functions/domain/amounts.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { checkOutcomes } from '../../../fakes/checks/outcome-checks.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import { type RunningService, runService } from '../../../fakes/world/running-service.ts';
import { enqueue, stateOf, unsettledTransactions } from '../../../fakes/world/steps.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';

const gwei = 10n ** 9n;
const coin = 10n ** 18n;

/** Starts a service with a paused lane and commits in its queue. */
async function startCrowd(
  settings: Parameters<typeof runService>[1] = {},
  count = 90,
): Promise<RunningService> {
  const service = runService(undefined, { forwarder: true, ...settings });
  const { world, services, post, queue } = service;
  await pauseLane(services, world.lane);
  for (let number = 0; number < count; number++) await post(alice, `article ${number}`);
  await queue.until(async () => false, 20);
  return service;
}

test('a batch above the nodes’ cost limit is sent in parts', async () => {
  const { world, services, untilIdle } = await startCrowd();
  world.chain.baseFee = 60n * gwei;
  await resumeLane(services, world.lane);
  expect(await untilIdle()).toBe(true);
  expect(world.chain.receipts().length).toBeGreaterThan(3);
  expect(world.log.messages('error')).not.toContain('transaction refused');
  await checkOutcomes(world);
});

test('a replacement stays within the nodes’ cost limit', async () => {
  const { world, services, finishAndCheck, queue } = await startCrowd();
  world.chain.baseFee = 25n * gwei;
  world.chain.minTip = 30n * gwei;
  await resumeLane(services, world.lane);
  await queue.until(async () => false, 600);
  const [lowest] = world.chain.mempool.transactionsOf(world.signer.address);
  expect(lowest && lowest.gas * lowest.maxFeePerGas).toBeLessThanOrEqual(coin);
  // The last replacement is in the pool, because no node refused it.
  expect(world.log.messages('error')).not.toContain('transaction refused');
  world.chain.minTip = gwei;
  await finishAndCheck();
});

describe.each([{ forwarder: false }, { forwarder: true }])(
  'a transaction refused for its cost: %o',
  (mode) => {
    const expensive = 45n * gwei;
    const cheap = 2n * gwei;

    const batching = () => {
      const service = runService(undefined, { ...mode, batches: true });
      return { ...service, chain: service.world.chain };
    };

    /** Starts a service whose nodes refuse its transactions, because their cost limit is lower than in the settings. */
    async function startRefused(settings: Parameters<typeof runService>[1] = {}): Promise<RunningService> {
      const service = runService(undefined, { ...mode, batches: true, maxInFlight: 4, ...settings });
      const { world, post, queue } = service;
      world.chain.poolRules.feeCap = coin / 100n;
      world.chain.baseFee = expensive;
      for (let number = 0; number < 12; number++) await post(alice, `article ${number}`);
      await queue.until(async () => false, 600);
      return service;
    }

    test('is not sent again at the same or higher fees, and is sent soon after fees fall', async () => {
      const { world, finishAndCheck } = await startRefused();
      expect(world.chain.receipts()).toEqual([]);
      const unsettled = await unsettledTransactions(world);
      expect(unsettled.length).toBeGreaterThan(0);
      for (const { attempts } of unsettled) expect(attempts).toMatchObject([{ refused: true }]);
      expect(world.log.messages('error')).toContain('transaction refused');
      expect(world.log.messages('error')).not.toContain('transaction may not have been sent');
      world.chain.baseFee = cheap;
      await finishAndCheck(300);
    });

    test('is sent unchanged when nodes accept it', async () => {
      const { world, untilIdle } = await startRefused();
      const [before] = await unsettledTransactions(world);
      world.chain.poolRules.feeCap = coin;
      expect(await untilIdle(300)).toBe(true);
      expect(world.chain.receipts()[0]?.hash).toBe(before?.attempts[0]?.hash);
      await checkOutcomes(world);
    });

    test('is sent at higher fees when no block would include it any more', async () => {
      const { world, finishAndCheck } = await startRefused();
      world.chain.poolRules.feeCap = coin;
      world.chain.baseFee = 120n * gwei;
      await finishAndCheck(300);
    });

    test('is sent at lower fees although its first refusal was lost', async () => {
      const { post, queue, finishAndCheck, chain } = batching();
      chain.poolRules.feeCap = coin / 100n;
      chain.baseFee = expensive;
      const send = chain.send.bind(chain);
      // A provider times out, so it may have accepted the transaction.
      chain.send = async (raw) => {
        chain.send = send;
        await send(raw).catch(() => undefined);
        throw new ChainUnreachableError(chain.settings.chainId);
      };
      await post(alice, 'An article.');
      await queue.until(async () => false, 600);
      expect(chain.receipts()).toEqual([]);
      chain.baseFee = cheap;
      await finishAndCheck(300);
    });

    test('is sent when the account is funded again, although fees are higher by then', async () => {
      const { world, post, queue, finishAndCheck, chain } = batching();
      chain.baseFee = cheap;
      // Nodes refuse it as long as no block shows the funds.
      chain.poolRules.feeCap = 1n;
      await post(alice, 'An article.');
      await queue.until(async () => false, 60);
      expect(await unsettledTransactions(world)).toMatchObject([{ attempts: [{ refused: true }] }]);
      chain.baseFee = 5n * cheap;
      chain.poolRules.feeCap = coin;
      await finishAndCheck(600);
    });

    test('is sent again together with the attempt that it replaces', async () => {
      const { world, post, queue, finishAndCheck, chain } = batching();
      chain.minTip = 1000n * gwei;
      await post(alice, 'An article.');
      await queue.until(async () => chain.mempool.nonces().length > 0, 60);
      const [first] = chain.mempool.transactionsOf(world.signer.address);
      chain.poolRules.feeCap = ((first?.gas ?? 0n) * (first?.maxFeePerGas ?? 0n) * 11n) / 10n;
      await queue.until(async () => false, 120);
      const [unsettled] = await unsettledTransactions(world);
      expect(unsettled?.attempts.map(({ refused }) => refused)).toEqual([undefined, true]);
      chain.mempool.drop(0);
      chain.minTip = gwei;
      expect(await queue.until(async () => chain.receipts().length > 0, 120)).toBe(true);
      expect(chain.receipts()[0]?.hash).toBe(first?.hash);
      chain.poolRules.feeCap = coin;
      await finishAndCheck(600);
    });
  },
);

/** Returns the cost of all attestations of `startCrowd`. */
async function totalCost(): Promise<bigint> {
  const { world, services, untilIdle } = await startCrowd();
  await resumeLane(services, world.lane);
  expect(await untilIdle()).toBe(true);
  return world.chain.receipts().reduce((sum, { fee }) => sum + fee, 0n);
}

test('a backlog is sent even if the daily budget covers only its cost at current fees, not at the maximum fee', async () => {
  const dailyFeeBudget = Number(formatEther(((await totalCost()) * 11n) / 10n));
  const { world, services, finishAndCheck } = await startCrowd({ dailyFeeBudget });
  await resumeLane(services, world.lane);
  await finishAndCheck();
  const { spent } = await stateOf(world);
  expect(BigInt(spent?.wei ?? 0n)).toBeLessThanOrEqual(coinsToWei(dailyFeeBudget));
});

test('a backlog is sent even if the account covers only its cost at current fees, not at the maximum fee', async () => {
  const { world, services, finishAndCheck } = await startCrowd();
  world.chain.setBalance(world.signer.address, ((await totalCost()) * 11n) / 10n);
  await resumeLane(services, world.lane);
  await finishAndCheck();
  expect(world.log.messages('error')).not.toContain('transaction may not have been sent');
});

test('each pending transaction reserves its own cost', async () => {
  const world = makeWorld({ forwarder: true, maxInFlight: 8 });
  const queue = async (count: number, name: string) => {
    await enqueue(world, alice, count, name);
    await dispatchQueue(world.services, world.queue);
  };
  world.chain.gasPerOperation = 100_000n;
  await queue(90, 'large');
  const [large] = await unsettledTransactions(world);
  const cost = (gas: bigint, fee: bigint) => gas * fee;
  const reserved = cost(large?.gasLimit ?? 0n, large?.attempts[0]?.maxFeePerGas ?? 0n);
  world.chain.setBalance(world.signer.address, reserved + reserved / 50n);
  world.chain.gasPerOperation = 30_000n;
  for (let number = 0; number < 6; number++) await queue(1, `small ${number}`);
  const unsettled = await unsettledTransactions(world);
  const worst = unsettled.map(({ gasLimit, attempts }) => cost(gasLimit, attempts[0]?.maxFeePerGas ?? 0n));
  expect(unsettled.length).toBeGreaterThan(1);
  expect(worst.reduce((sum, one) => sum + one, 0n)).toBeLessThanOrEqual(reserved + reserved / 50n);
});

test.each([{ forwarder: false }, { forwarder: true }])(
  'a commit that the lane cannot pay for is not retried with fewer members, which would cost the same: %o',
  async (mode) => {
    const { world, services } = await startCrowd({ batches: true, ...mode }, 20);
    const { chain } = world;
    const simulate = chain.simulate.bind(chain);
    let simulations = 0;
    chain.simulate = async (...args) => {
      simulations++;
      const { gas = 0n, feeData, ...rest } = await simulate(...args);
      const cost = ((gas * 13n) / 10n) * (2n * feeData.baseFee + feeData.tip);
      return { ...rest, gas, feeData: { ...feeData, balance: cost - 1n } };
    };
    await resumeLane(services, world.lane);
    await dispatchQueue(services, world.queue);
    expect(simulations).toBe(1);
    expect(world.log.messages('error')).toContain('lane cannot pay');
  },
);

test.each([{ forwarder: false }, { forwarder: true }])(
  'a reveal above the nodes’ simulation limit is sent in parts: %o',
  async (mode) => {
    const { world, services, finishAndCheck } = await startCrowd({ batches: true, ...mode }, 20);
    const { chain } = world;
    const simulate = chain.simulate.bind(chain);
    chain.simulate = async (...args) => {
      const { gas = 0n, ...rest } = await simulate(...args);
      const reason = 'more gas than a transaction may use';
      return gas > 500_000n ? { ...rest, failures: new Map([[0, reason]]) } : { ...rest, gas };
    };
    await resumeLane(services, world.lane);
    await finishAndCheck();
  },
);
