import { describe, expect, test } from 'vitest';
import { minedCalls, watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { committing, mineAndTick, openTransactions } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

const gwei = 1_000_000_000n;

async function sent(given?: Parameters<typeof makeWorld>[0]) {
  const world = makeWorld(given);
  watchSends(world);
  const row = await committing(world, alice);
  const first = async () => (await openTransactions(world))[0];
  return { world, row: () => world.row(row), first };
}

/** Time passes, and blocks with it, of which none takes the transaction. */
async function stuckFor(world: World, seconds: number): Promise<void> {
  world.chain.minTip = 1000n * gwei;
  const { blockTimeSeconds } = world.chain.settings;
  for (let passed = 0; passed < seconds; passed += blockTimeSeconds) await mineAndTick(world);
}

describe('replacement', () => {
  test('waits for twelve seconds or three blocks, then raises both fees by a fifth', async () => {
    const { world, first } = await sent();
    await stuckFor(world, 10);
    expect((await first())?.attempts).toHaveLength(1);
    await stuckFor(world, 2);
    const [original, replacement] = (await first())?.attempts ?? [];
    expect(original).toMatchObject({ maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei });
    expect(replacement?.maxFeePerGas).toBe((21n * gwei * 12n) / 10n);
    expect(replacement?.maxPriorityFeePerGas).toBe((gwei * 12n) / 10n);
    expect(replacement?.hash).not.toBe(original?.hash);
    await stuckFor(world, 10);
    expect((await first())?.attempts).toHaveLength(2);
  });

  test('is for the lowest nonce alone', async () => {
    const world = makeWorld();
    await committing(world, alice, 'one');
    await committing(world, bob, 'two');
    await stuckFor(world, 14);
    const attempts = (await openTransactions(world)).map((transaction) => transaction.attempts.length);
    expect(attempts).toEqual([2, 1]);
  });

  test('of a block time above four seconds waits for three blocks', async () => {
    const { world, first } = await sent({ blockTimeSeconds: 10 });
    await stuckFor(world, 20);
    expect((await first())?.attempts).toHaveLength(1);
    await stuckFor(world, 10);
    expect((await first())?.attempts).toHaveLength(2);
  });

  test.each([0n, 1n])('of a tip of %i wei rounds up and is one that the node takes', async (tip) => {
    const world = makeWorld({ minPriorityFeeGwei: 0 });
    world.chain.tip = tip;
    await committing(world, alice);
    for (let time = 0; time < 3; time++) await stuckFor(world, 12);
    const [transaction] = await openTransactions(world);
    const tips = transaction?.attempts.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas) ?? [];
    expect(tips.length).toBeGreaterThan(2);
    expect(world.log.messages('error')).toEqual([]);
    world.chain.minTip = 0n;
    await mineAndTick(world);
    expect(world.chain.receipts()[0]?.hash).toBe(transaction?.attempts.at(-1)?.hash);
  });

  test('does not lose an older attempt that is mined after all', async () => {
    const { world, row } = await sent();
    const original = (await openTransactions(world))[0]?.attempts[0]?.hash;
    world.chain.minTip = 1000n * gwei;
    world.chain.forgetsSent = true;
    await stuckFor(world, 14);
    expect((await openTransactions(world))[0]?.attempts).toHaveLength(2);
    world.chain.minTip = 0n;
    await mineAndTick(world);
    expect(await row()).toMatchObject({ status: 'committed', commitTxHash: original });
  });

  test('follows a base fee ten times as high, and ends at the cap with the same bytes and a warning', async () => {
    const { world, first } = await sent({ maxFeePerGasGwei: 150 });
    world.chain.baseFee = 100n * gwei;
    await stuckFor(world, 12);
    expect((await first())?.attempts.at(-1)?.maxFeePerGas).toBe(150n * gwei);
    const sends: string[] = [];
    world.chain.onSend = (hash) => sends.push(hash);
    await stuckFor(world, 180);
    expect((await first())?.attempts).toHaveLength(2);
    expect(world.log.messages('warn')).toContain('fee cap reached');
    expect(new Set(sends)).toEqual(new Set([(await first())?.attempts.at(-1)?.hash]));
    expect(sends.length).toBeGreaterThanOrEqual(2);
    world.chain.minTip = 0n;
    await mineAndTick(world);
    expect(minedCalls(world)).toEqual(['commit']);
  });
});
