import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { cancelTransaction } from '../../functions/domain/operator/cancel-transaction.ts';
import { excessiveTip, expectAllConfirmed, serve, transactionOf } from '../fakes/real/served.ts';
import { answered, sendsForgotten } from '../fakes/rpc/rpc-answers.ts';
import { alice, bob } from '../fakes/world/world.ts';

const gwei = 1_000_000_000n;

test('row 14: at the fee cap, what the node forgot is sent again as the same bytes', async () => {
  // Twice the base fee, and too little more for a replacement.
  const { world, post, until, endsByRule } = await serve({ maxFeePerGasGwei: 21 });
  const { chain } = world;
  const { attestation } = await post(alice, 'An article.');
  await until(() => chain.mempool.nonces().length === 1);
  chain.mempool.drop(0);
  await endsByRule();
  const { attempts } = await transactionOf(world, 0);
  expect(attempts).toHaveLength(1);
  expect(world.log.messages('warn')).toContain('fee cap reached');
  expect(await world.row(attestation)).toMatchObject({ commitTxHash: attempts[0]?.hash });
});

test('row 15: what waits behind a lowest nonce that was taken and forgotten drains in order', async () => {
  const { world, post, until, endsByRule } = await serve({ forwarder: true, maxInFlight: 6 });
  const { chain, providers } = world;
  providers[0]?.set({ ...sendsForgotten, times: 1 });
  for (let text = 0; text < 6; text++) await post(text % 2 ? alice : bob, `article ${text}`);
  await until(() => chain.mempool.nonces().length === 5);
  const behind = await Promise.all([1, 2, 3, 4, 5].map((nonce) => transactionOf(world, nonce)));
  await endsByRule();
  const mined = await chain.receipts();
  expect(mined.slice(1, 6).map(({ hash }) => hash)).toEqual(behind.map(({ attempts }) => attempts[0]?.hash));
  expect(mined.every(({ succeeded }) => succeeded)).toBe(true);
});

test('row 17: a base fee ten times as high is followed by replacements that the node takes', async () => {
  const { world, post, until, endsByRule } = await serve({ blockTimeSeconds: 4, maxFeePerGasGwei: 200 });
  const { chain } = world;
  const { attestation } = await post(alice, 'An article.');
  await until(() => chain.mempool.nonces().length === 1);
  await chain.setBaseFee(10n * chain.node.baseFee);
  await endsByRule();
  const { attempts } = await transactionOf(world, 0);
  expect(attempts.length).toBeGreaterThan(1);
  expect(world.log.messages('error')).toEqual([]);
  expect(await world.row(attestation)).toMatchObject({ commitTxHash: attempts.at(-1)?.hash });
});

test('row 17: what every node refuses for its cost goes when fees fall, and is offered at no higher ones', async () => {
  const { world, post, pass, until, endsByRule } = await serve({ forwarder: true, blockTimeSeconds: 4 });
  const { chain, log } = world;
  await chain.setBaseFee(45n * gwei);
  chain.feeCap = 10n ** 15n;
  await post(alice, 'An article.');
  await pass(600);
  expect(await transactionOf(world, 0)).toMatchObject({ attempts: [{ refused: true }] });
  expect(log.messages('error')).toContain('transaction refused');
  await chain.setBaseFee(gwei);
  await until(async () => (await chain.receipts()).length > 0, 30);
  await endsByRule();
  await expectAllConfirmed(world, 1);
});

test.each([0n, 1n])(
  'row 18: a tip of %i wei is raised by one wei at a time, and nodes take each',
  async (tip) => {
    const { world, post, endsByRule } = await serve({ minPriorityFeeGwei: 0 });
    const { chain, providers, log } = world;
    const history = answered(['eth_feeHistory'], async ({ method, params }, ask) => {
      const told = (await ask(method, params)) as { gasUsedRatio: number[] };
      return { ...told, reward: told.gasUsedRatio.map(() => [numberToHex(tip)]) };
    });
    providers[0]?.set(history);
    chain.minTip = 3n;
    await post(alice, 'An article.');
    await endsByRule();
    const { attempts } = await transactionOf(world, 0);
    const tips = attempts.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas);
    expect(tips).toEqual([0n, 1n, 2n, 3n].filter((one) => one >= tip));
    expect(log.messages('error')).toEqual([]);
  },
);

test('row 32: a transaction that is mined although it is cancelled has its effect', async () => {
  const { world, services, queue, post, pass, endsByRule } = await serve();
  const { chain, lane } = world;
  chain.minTip = excessiveTip;
  for (const caller of [alice, bob]) await post(caller, 'An article.');
  // The cancellation is forgotten by the node, which still has what it should replace.
  queue.after(59, () => {
    chain.forgetsSent = true;
  });
  await pass(60);
  await cancelTransaction(services, lane);
  await pass(60);
  expect((await transactionOf(world, 0)).attempts.at(-1)?.cancels).toBe(true);
  chain.minTip = 0n;
  await pass(10);
  chain.forgetsSent = false;
  await endsByRule();
  await expectAllConfirmed(world, 2);
  expect((await chain.receipts()).map(({ data }) => data)).not.toContain('0x');
});
