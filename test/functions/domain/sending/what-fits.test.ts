import { formatEther } from 'viem';
import { expect, test } from 'vitest';
import { coinsToWei } from '../../../../functions/domain/amounts.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { dispatchQueue } from '../../../../functions/domain/sending/dispatch-queue.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { checkRule } from '../../../fakes/checks/outcome-checks.ts';
import { type RunningService, runService } from '../../../fakes/world/running-service.ts';
import { openTransactions, stateOf } from '../../../fakes/world/steps.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';

const gwei = 10n ** 9n;
const coin = 10n ** 18n;

/** A service with 90 commits in its queue, whose node passes on nothing that may cost more than a coin. */
async function crowd(settings: Parameters<typeof runService>[1] = {}): Promise<RunningService> {
  const service = runService(undefined, { forwarder: true, ...settings });
  const { world, services, post, queue } = service;
  await pauseLane(services, world.lane);
  for (let number = 0; number < 90; number++) await post(alice, `article ${number}`);
  await queue.until(async () => false, 20);
  return service;
}

test('a batch that would cost more than nodes pass on is sent in parts', async () => {
  const { world, services, untilIdle } = await crowd();
  world.chain.baseFee = 60n * gwei;
  await resumeLane(services, world.lane);
  expect(await untilIdle()).toBe(true);
  expect(world.chain.receipts().length).toBeGreaterThan(3);
  await checkRule(world);
});

test('a replacement does not cost more than nodes pass on either', async () => {
  const { world, services, untilIdle, queue } = await crowd();
  world.chain.baseFee = 25n * gwei;
  world.chain.minTip = 30n * gwei;
  await resumeLane(services, world.lane);
  await queue.until(async () => false, 600);
  const [lowest] = world.chain.mempool.of(world.signer.address);
  expect(lowest && lowest.gas * lowest.maxFeePerGas).toBeLessThanOrEqual(coin);
  // What was offered last is in the pool: nothing was refused meanwhile.
  expect(world.log.messages('error')).not.toContain('transaction may not have been sent');
  world.chain.minTip = gwei;
  expect(await untilIdle()).toBe(true);
  await checkRule(world);
});

/** What it costs to attest the crowd's articles. */
async function totalCost(): Promise<bigint> {
  const { world, services, untilIdle } = await crowd();
  await resumeLane(services, world.lane);
  expect(await untilIdle()).toBe(true);
  return world.chain.receipts().reduce((sum, { fee }) => sum + fee, 0n);
}

test('of a backlog that the budget of the day cannot pay for at once, what fits goes', async () => {
  const dailyFeeBudget = Number(formatEther(((await totalCost()) * 11n) / 10n));
  const { world, services, untilIdle } = await crowd({ dailyFeeBudget });
  await resumeLane(services, world.lane);
  expect(await untilIdle()).toBe(true);
  await checkRule(world);
  const { spent } = await stateOf(world);
  expect(BigInt(spent?.wei ?? 0n)).toBeLessThanOrEqual(coinsToWei(dailyFeeBudget));
});

test('of a backlog that the account cannot pay for at once, what fits goes', async () => {
  const { world, services, untilIdle } = await crowd();
  world.chain.setBalance(world.signer.address, ((await totalCost()) * 11n) / 10n);
  await resumeLane(services, world.lane);
  expect(await untilIdle()).toBe(true);
  await checkRule(world);
  expect(world.log.messages('error')).not.toContain('transaction may not have been sent');
});

test('each open transaction is reserved at its own cost', async () => {
  const world = makeWorld({ forwarder: true, maxInFlight: 8 });
  const queue = async (count: number, name: string) => {
    for (let number = 0; number < count; number++) {
      const { attestation } = await world.create(alice, `${name} ${number}`);
      await queueOperation(world.services, attestation, 'commit');
    }
    await dispatchQueue(world.services, world.queue);
  };
  world.chain.gasPerCall = 100_000n;
  await queue(90, 'large');
  const [large] = await openTransactions(world);
  const cost = (gas: bigint, fee: bigint) => gas * fee;
  const reserved = cost(large?.gasLimit ?? 0n, large?.attempts[0]?.maxFeePerGas ?? 0n);
  world.chain.setBalance(world.signer.address, reserved + reserved / 50n);
  world.chain.gasPerCall = 30_000n;
  for (let number = 0; number < 6; number++) await queue(1, `small ${number}`);
  const open = await openTransactions(world);
  const worst = open.map(({ gasLimit, attempts }) => cost(gasLimit, attempts[0]?.maxFeePerGas ?? 0n));
  expect(open.length).toBeGreaterThan(1);
  expect(worst.reduce((sum, one) => sum + one, 0n)).toBeLessThanOrEqual(reserved + reserved / 50n);
});

/** A service whose registry takes batches, with 20 commits in its queue, and the number of simulations from then on. */
async function crowdOfBatches(mode: { readonly forwarder: boolean }) {
  const service = runService(undefined, { batches: true, ...mode });
  const { world, services, post, queue } = service;
  await pauseLane(services, world.lane);
  for (let number = 0; number < 20; number++) await post(alice, `article ${number}`);
  await queue.until(async () => false, 20);
  return service;
}

test.each([{ forwarder: false }, { forwarder: true }])(
  'a commit that cannot be paid for is not tried for fewer, which costs as much: %o',
  async (mode) => {
    const { world, services } = await crowdOfBatches(mode);
    const { chain } = world;
    const simulate = chain.simulate.bind(chain);
    let simulations = 0;
    chain.simulate = async (...asked) => {
      simulations++;
      const { gas = 0n, feeData, ...rest } = await simulate(...asked);
      const cost = ((gas * 13n) / 10n) * (2n * feeData.baseFee + feeData.tip);
      return { ...rest, gas, feeData: { ...feeData, balance: cost - 1n } };
    };
    await resumeLane(services, world.lane);
    await dispatchQueue(services, world.queue);
    expect(simulations).toBe(1);
    expect(world.log.messages('error')).toContain('lane short of means');
  },
);

test.each([{ forwarder: false }, { forwarder: true }])(
  'a reveal of more than nodes simulate is sent in parts: %o',
  async (mode) => {
    const { world, services, untilIdle } = await crowdOfBatches(mode);
    const { chain } = world;
    const simulate = chain.simulate.bind(chain);
    chain.simulate = async (...asked) => {
      const { gas = 0n, ...rest } = await simulate(...asked);
      const reason = 'more gas than a transaction may take';
      return gas > 500_000n ? { ...rest, failures: new Map([[0, reason]]) } : { ...rest, gas };
    };
    await resumeLane(services, world.lane);
    expect(await untilIdle()).toBe(true);
    await checkRule(world);
  },
);
