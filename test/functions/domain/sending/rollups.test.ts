import { describe, expect, test } from 'vitest';
import { cancelTransaction } from '../../../../functions/domain/operator/cancel-transaction.ts';
import {
  mineAndTick,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../../fakes/world/world.ts';

const gwei = 1_000_000_000n;
const coin = 10n ** 18n;

/** Fees of Jovian: 300 × 100 wei for each gas, and 400 wei. */
const rollupFees = {
  dataFee: 3n * coin,
  operatorFeeConstant: 400n,
  operatorFeePerMillionGas: 30_000_000_000n,
};

function makeRollup(settings: Parameters<typeof makeWorld>[0] = {}): World {
  const world = makeWorld(settings);
  world.chain.rollupFees = rollupFees;
  return world;
}

/** Maximum cost of a transaction: its gas, twice the data fee, and the operator fee for all its gas. */
function maxCost(gasLimit: bigint, maxFeePerGas: bigint): bigint {
  return gasLimit * maxFeePerGas + 2n * rollupFees.dataFee + 400n + gasLimit * 30_000n;
}

/** Gas limit and fee cap of a commit in the simulated chain. */
const commit = { gasLimit: 157_300n, maxFeePerGas: 21n * gwei };
const cost = maxCost(commit.gasLimit, commit.maxFeePerGas);

describe('the OP-stack fee in addition to gas', () => {
  test.each([
    ['is affordable if the account can pay the maximum', 0n, 1],
    ['is not affordable with a wei less', 1n, 0],
  ])('%s', async (_, missing, bound) => {
    const world = makeRollup();
    world.chain.setBalance(world.signer.address, cost - missing);
    await startCommit(world, alice);
    expect(await unsettledTransactions(world)).toMatchObject(Array(bound).fill({ attempts: [{}] }));
    expect(world.log.messages('error').includes('lane cannot pay')).toBe(bound === 0);
  });

  test('is reserved in the daily budget, and replaced by the receipt’s fee', async () => {
    const world = makeRollup({ confirmations: 2, dailyFeeBudget: 100 });
    await startCommit(world, alice);
    expect((await stateOf(world)).spent?.wei).toBe(String(cost));
    await mineAndTick(world, 3);
    const [paid] = world.chain.receipts();
    expect(paid?.fee).toBeGreaterThan(rollupFees.dataFee);
    expect((await stateOf(world)).spent?.wei).toBe(String(paid?.fee));
  });

  test('is reserved for a replacement too', async () => {
    const world = makeRollup();
    world.chain.minTip = 1000n * gwei;
    await startCommit(world, alice);
    world.chain.setBalance(world.signer.address, 2n * commit.gasLimit * commit.maxFeePerGas);
    for (let block = 0; block < 4; block++) await elapse(world, 5);
    expect(await unsettledTransactions(world)).toMatchObject([{ attempts: [{}] }]);
    world.chain.setBalance(world.signer.address, 2n * cost);
    await elapse(world, 1);
    expect(await unsettledTransactions(world)).toMatchObject([{ attempts: [{}, {}] }]);
  });
});

async function elapse(world: World, seconds: number): Promise<void> {
  world.mine();
  world.clock.advance(seconds);
  await tick(world);
}

/** Starts to cancel a commit, on a chain with this gas for a plain transfer and this minimum tip. */
async function startCanceling(baseGas: bigint, minTip: bigint): Promise<World> {
  const world = makeWorld();
  Object.assign(world.chain, { baseGas, minTip });
  await startCommit(world, alice);
  await cancelTransaction(world.services, world.lane);
  return world;
}

describe('a chain whose gas includes the cost of publishing', () => {
  test('a cancellation has the gas it needs, and is mined', async () => {
    const world = await startCanceling(400_000n, 3n * gwei);
    await tick(world);
    const [{ attempts = [] } = {}] = await unsettledTransactions(world);
    expect(attempts.at(-1)).toMatchObject({ cancels: true, gasLimit: 800_000n });
    world.chain.minTip = 0n;
    world.mine();
    expect(world.chain.receipts()).toMatchObject([{ hash: attempts.at(-1)?.hash, succeeded: true }]);
  });

  test('a cancellation has no more gas than a transaction may have, whatever the node estimates', async () => {
    const world = await startCanceling(21_000n, 3n * gwei);
    world.chain.baseGas = 10n ** 12n;
    await tick(world);
    expect((await unsettledTransactions(world))[0]?.attempts.at(-1)).toMatchObject({ gasLimit: 15_000_000n });
  });

  test('a cancellation is resent as the same bytes, with its gas', async () => {
    const world = await startCanceling(400_000n, 300n * gwei);
    await tick(world);
    const sent: unknown[] = [];
    world.chain.mempool.drop(0);
    world.chain.onSend = (hash) => sent.push(hash);
    world.chain.baseGas = 21_000n;
    world.clock.advance(61);
    await tick(world);
    expect(sent).toEqual([(await unsettledTransactions(world))[0]?.attempts.at(-1)?.hash]);
  });
});

/** Commits on a chain whose base fee rises above the attempt's fee before the node receives it. */
async function commitAsFeesRise(world: World): Promise<void> {
  world.chain.refusesBelowBaseFee = true;
  world.chain.onSend = () => {
    world.chain.baseFee = 22n * gwei;
  };
  await startCommit(world, alice);
  world.chain.onSend = () => {};
  expect(world.log.messages('error')).toEqual(['transaction may not have been sent']);
}

describe('a fee below the base fee', () => {
  test('that a node rejects is replaced in the next tick', async () => {
    const world = makeWorld();
    await commitAsFeesRise(world);
    const [first, second] = [commit.maxFeePerGas, 45n * gwei];
    await tick(world);
    const attempts = [{ maxFeePerGas: first }, { maxFeePerGas: second }];
    expect(await unsettledTransactions(world)).toMatchObject([{ attempts }]);
    await mineAndTick(world);
    expect(world.chain.receipts()).toMatchObject([{ maxFeePerGas: second }]);
  });

  test('is not sent again before the base fee has fallen to it', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 21 });
    await commitAsFeesRise(world);
    let sends = 0;
    world.chain.onSend = () => sends++;
    for (let minute = 0; minute < 3; minute++) await elapse(world, 61);
    expect(sends).toBe(0);
    world.chain.baseFee = 20n * gwei;
    await tick(world);
    await mineAndTick(world);
    expect(world.chain.receipts()).toHaveLength(1);
  });

  test('does not exist on a chain without base fees', async () => {
    const world = makeWorld();
    world.chain.legacy = true;
    world.chain.minTip = 1000n * gwei;
    await startCommit(world, alice);
    world.chain.baseFee = 900n * gwei;
    await mineAndTick(world, 2);
    expect(await unsettledTransactions(world)).toMatchObject([{ attempts: [{ legacy: true }] }]);
  });
});

test('a lane waits for quarter-second blocks in whole seconds', async () => {
  const world = makeWorld({ blockTimeSeconds: 0.25, confirmations: 40 });
  await startCommit(world, alice);
  const waits: number[] = [];
  for (let done = false; !done; ) {
    const next = await tick(world);
    done = next.done;
    if (!done) waits.push(next.waitSeconds);
    world.mine(4 * next.waitSeconds);
  }
  expect(waits).toEqual([1, 9]);
  expect(world.chain.receipts()).toHaveLength(1);
});
