import { type Hex, hexToBigInt, numberToHex, parseEther } from 'viem';
import { expect, test } from 'vitest';
import { plenty } from '../fakes/real/real-chain-start.ts';
import { expectAllConfirmed, laneOf, serve, transactionOf } from '../fakes/real/served.ts';
import { answeredBy } from '../fakes/rpc/rpc-answers.ts';
import { alice } from '../fakes/world/world.ts';

test('row 17: nodes accept the replacements that follow a tenfold base fee', async () => {
  const { world, post, until, finishAndCheck } = await serve({ blockTimeSeconds: 4, maxFeePerGasGwei: 200 });
  const { chain } = world;
  const { attestation } = await post(alice, 'An article.');
  await until(() => chain.mempool.nonces().length === 1);
  await chain.setBaseFee(10n * chain.node.baseFee);
  await finishAndCheck();
  const { attempts } = await transactionOf(world, 0);
  expect(attempts.length).toBeGreaterThan(1);
  expect(world.log.messages('error')).toEqual([]);
  expect(await world.row(attestation)).toMatchObject({ commitTxHash: attempts.at(-1)?.hash });
});

test.each([0n, 1n])(
  'row 18: a tip of %i wei rises by one wei per replacement, and nodes accept each',
  async (tip) => {
    const { world, post, finishAndCheck } = await serve({ minPriorityFeeGwei: 0 });
    const { chain, providers, log } = world;
    const lowTips = answeredBy(['eth_feeHistory'], async ({ method, params }, ask) => {
      const history = (await ask(method, params)) as { gasUsedRatio: number[] };
      return { ...history, reward: history.gasUsedRatio.map(() => [numberToHex(tip)]) };
    });
    providers[0]?.addRule(lowTips);
    chain.minTip = 3n;
    await post(alice, 'An article.');
    await finishAndCheck();
    const { attempts } = await transactionOf(world, 0);
    const tips = attempts.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas);
    expect(tips).toEqual([0n, 1n, 2n, 3n].filter((one) => one >= tip));
    expect(log.messages('error')).toEqual([]);
  },
);

const gasPriceOracle = '0x420000000000000000000000000000000000000F';

/** An oracle: `getOperatorFee(gas)` is gas × 300 × 100 + 400 wei, any other function its argument × 10^15 wei. */
const oracleCode: Hex = `0x${[
  ...['6000', '35', '60e0', '1c', '63275aedd2', '14', '6023', '57'],
  ...['6004', '35', '66038d7ea4c68000', '02', '6000', '52', '6020', '6000', 'f3'],
  ...['5b', '6004', '35', '617530', '02', '610190', '01', '6000', '52', '6020', '6000', 'f3'],
].join('')}`;

/** Rule of a provider whose receipts contain the fees of an OP-stack chain in addition to gas, as since Jovian. */
const ofOpStack = answeredBy(['eth_getTransactionReceipt'], async ({ method, params }, ask) => {
  const receipt = await ask(method, params);
  const fees = { l1Fee: '0x1aa535d3d0c000', operatorFeeScalar: '0x12c', operatorFeeConstant: '0x190' };
  return receipt && { ...receipt, ...fees, daFootprintGasScalar: '0x190' };
});

test('row 40: the account must hold the OP-stack fees in addition to gas, and they count as spent', async () => {
  const { world, post, advance, untilIdle } = await serve({ rollup: 'opStack', blockTimeSeconds: 4 });
  const { chain, providers, signer, log } = world;
  await chain.node.request('anvil_setCode', [gasPriceOracle, oracleCode]);
  for (const provider of providers) provider.addRule(ofOpStack);
  // Enough for the gas of many commits, but less than the data of one may cost.
  await chain.setBalance(signer.address, parseEther('0.2'));
  await post(alice, 'An article.');
  await advance(20);
  expect((await laneOf(world)).nextNonce).toBe(0);
  expect(log.messages('error')).toContain('lane cannot pay');
  await chain.setBalance(signer.address, plenty);
  // `finishAndCheck` compares receipts with those of the node itself, which has no fees in addition to gas.
  expect(await untilIdle(3600)).toBe(true);
  await expectAllConfirmed(world, 1);
  let paid = 0n;
  for (const { hash } of await chain.receipts()) {
    const receipt = await chain.node.request('eth_getTransactionReceipt', [hash]);
    const { gasUsed, effectiveGasPrice } = receipt as Record<'gasUsed' | 'effectiveGasPrice', Hex>;
    const gas = hexToBigInt(gasUsed);
    paid += gas * hexToBigInt(effectiveGasPrice) + 7_500_000_000_000_000n + gas * 30_000n + 400n;
  }
  expect((await laneOf(world)).spent?.wei).toBe(String(paid));
});
