import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { expectAllConfirmed, serve, transactionOf } from '../fakes/real/served.ts';
import { answered } from '../fakes/rpc/rpc-answers.ts';
import { alice } from '../fakes/world/world.ts';

const gwei = 1_000_000_000n;

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
