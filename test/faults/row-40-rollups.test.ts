import { type Hash, type Hex, hexToBigInt, parseEther } from 'viem';
import { expect, test } from 'vitest';
import { cancelTransaction } from '../../functions/domain/operator/cancel-transaction.ts';
import { decodeRaw, type Pooled } from '../fakes/chain/mempool.ts';
import { plenty } from '../fakes/real/real-chain-start.ts';
import { RpcRefusal } from '../fakes/rpc/rpc-call.ts';
import type { Answering, RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { excessiveTip } from './world/excessive-tip.ts';
import { laneOf, routes, type Served, serve, transactionOf } from './world/served.ts';

const gasPriceOracle = '0x420000000000000000000000000000000000000F';

/**
 * An oracle in the EVM's own bytes: `getOperatorFee(gas)` is gas × 300 × 100 + 400 wei, and any other function its
 * argument × 10^15 wei.
 */
const oracleCode: Hex = `0x${[
  ...['6000', '35', '60e0', '1c', '63275aedd2', '14', '6023', '57'],
  ...['6004', '35', '66038d7ea4c68000', '02', '6000', '52', '6020', '6000', 'f3'],
  ...['5b', '6004', '35', '617530', '02', '610190', '01', '6000', '52', '6020', '6000', 'f3'],
].join('')}`;

/** Fields that an OP-stack chain's receipts have since Jovian. */
const receiptFields = {
  ...{ l1Fee: '0x1aa535d3d0c000', operatorFeeScalar: '0x12c', operatorFeeConstant: '0x190' },
  daFootprintGasScalar: '0x190',
};

function answered(methods: readonly string[], by: Answering): RpcRule {
  return { fault: { kind: 'answered', by }, methods };
}

/** Rule of a provider of an OP-stack chain: a receipt says what was taken beside gas. */
const ofOpStack = answered(['eth_getTransactionReceipt'], async ({ method, params }, ask) => {
  const receipt = await ask(method, params);
  return receipt && { ...receipt, ...receiptFields };
});

/** Rule of a provider that refuses what it is sent for a reason, and keeps nothing of it. */
function refusing(reasonAgainst: (sent: Pooled) => Promise<string | undefined>): RpcRule {
  return answered(['eth_sendRawTransaction'], async ({ method, params = [] }, ask) => {
    const message = await reasonAgainst(await decodeRaw(params[0] as Hex));
    if (message) throw new RpcRefusal({ code: -32000, message });
    return ask(method, params);
  });
}

/** What the account paid, by receipts with the fields of an OP-stack chain. */
async function paid({ world: { chain } }: Served): Promise<bigint> {
  const receipts = await Promise.all(
    (await chain.receipts()).map(({ hash }) => chain.node.ask('eth_getTransactionReceipt', [hash])),
  );
  return (receipts as { gasUsed: Hex; effectiveGasPrice: Hex }[])
    .map(({ gasUsed, effectiveGasPrice }) => {
      const gas = hexToBigInt(gasUsed);
      return gas * hexToBigInt(effectiveGasPrice) + 7_500_000_000_000_000n + gas * 30_000n + 400n;
    })
    .reduce((sum, fee) => sum + fee, 0n);
}

test.each(routes)(
  'row 40: what an OP-stack chain takes beside gas has to be in the account, and is counted as spent: %j',
  async (route) => {
    const service = await serve({ ...route, rollup: 'opStack', blockTimeSeconds: 4 });
    const { world, post, pass, untilIdle } = service;
    const { chain, providers, signer, log } = world;
    await chain.node.ask('anvil_setCode', [gasPriceOracle, oracleCode]);
    for (const provider of providers) provider.set(ofOpStack);
    // Enough for the gas of many commits, and less than the data of one may cost.
    await chain.setBalance(signer.address, parseEther('0.2'));
    const { attestation } = await post(alice, 'An article.');
    await pass(20);
    expect((await laneOf(world)).nextNonce).toBe(0);
    expect(log.messages('error')).toContain('lane short of means');
    await chain.setBalance(signer.address, plenty);
    // The rule holds stored receipts to those of the node behind the providers, which takes nothing beside gas.
    expect(await untilIdle(3600)).toBe(true);
    expect((await world.row(attestation)).status).toBe('confirmed');
    expect((await laneOf(world)).spent?.wei).toBe(String(await paid(service)));
  },
);

test.each(routes)(
  'row 40: what a sequencer refuses because the base fee rose is replaced at once: %j',
  async (route) => {
    const { world, post, until, endsByRule } = await serve({ ...route, blockTimeSeconds: 4 });
    const { chain } = world;
    const sent: Hash[] = [];
    const belowBaseFee = refusing(async ({ hash, maxFeePerGas }) => {
      if (sent.push(hash) === 1) await chain.setBaseFee(10n * chain.node.baseFee);
      return maxFeePerGas < chain.node.baseFee ? 'max fee per gas less than block base fee' : undefined;
    });
    for (const provider of world.providers) provider.set(belowBaseFee);
    const { attestation } = await post(alice, 'An article.');
    await until(() => sent.length === 1);
    await until(() => sent.length === 2, 10);
    await endsByRule();
    const { attempts } = await transactionOf(world, 0);
    expect(attempts.map(({ hash }) => hash)).toEqual(sent.slice(0, 2));
    expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', commitTxHash: sent[1] });
  },
);

test('row 40: a cancellation has the gas that it takes where publishing is part of it', async () => {
  const { world, post, until, endsByRule } = await serve({ blockTimeSeconds: 4 });
  const { chain, services, lane } = world;
  const ofTransfer = 400_000n;
  const isPublished = refusing(async ({ gas, data }) =>
    data === '0x' && gas < ofTransfer ? 'intrinsic gas too low' : undefined,
  );
  const estimate = answered(['eth_estimateGas'], async ({ method, params = [] }, ask) => {
    const { data } = params[0] as { data: Hex };
    return data === '0x' ? `0x${ofTransfer.toString(16)}` : ask(method, params);
  });
  for (const provider of world.providers) for (const rule of [isPublished, estimate]) provider.set(rule);
  chain.minTip = excessiveTip;
  const { attestation } = await post(bob, 'An article.');
  await until(() => chain.mempool.nonces().length === 1);
  await cancelTransaction(services, lane, 0);
  await until(async () => (await transactionOf(world, 0)).attempts.at(-1)?.cancels === true, 10);
  chain.minTip = 0n;
  await until(async () => (await transactionOf(world, 0)).state !== 'open', 10);
  await endsByRule();
  const { receipt, attempts } = await transactionOf(world, 0);
  expect(receipt?.hash).toBe(attempts.find(({ cancels }) => cancels)?.hash);
  expect((await world.row(attestation)).status).toBe('confirmed');
});
