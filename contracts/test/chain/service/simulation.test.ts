import { type Address, encodeFunctionData, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { CallRevertedError, ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import { delegateForwarderAbi } from '../../../artifacts/delegate-forwarder-abi.ts';
import { hash as word } from '../attest.ts';
import { sendMined } from '../chain.ts';
import { executeCalldata, operator } from '../forwarder.ts';
import { platform, stranger } from '../registry.ts';
import { registry } from '../use-registry.ts';
import { chain, forwarder, serviceChain, useServiceChain } from './chain.ts';

useServiceChain();

const commitOf = (n: number): Hex => encodeFunctionData({ abi, functionName: 'commit', args: [word(n)] });

/** A reveal without a commit. */
const reveal = encodeFunctionData({
  abi,
  functionName: 'reveal',
  args: [word(9), word(9), word(9), word(9), word(9), stranger],
});

/** The chain with this number of confirmations. */
const deepChain = (confirmations: number) =>
  serviceChain(registry.chain.rpcUrl, registry.address, confirmations);

const callBy = (from: Address, data: Hex) => ({ from, to: registry.address, data });
const batchBy = (from: Address, ...calls: Hex[]) => ({ from, to: forwarder, data: executeCalldata(calls) });

const reason = 'the registry refused: sender unauthorized';

test('`simulate` returns gas, fee data and balance', async () => {
  const { client } = registry.chain;
  const { gas, failures, feeData } = await chain.simulate(callBy(platform, commitOf(1)), 'key');
  expect(failures.size).toBe(0);
  expect(gas).toBe(await client.estimateGas({ account: platform, to: registry.address, data: commitOf(1) }));
  expect(feeData).toMatchObject({
    blockNumber: Number(await client.getBlockNumber()),
    balance: await client.getBalance({ address: platform }),
  });
  expect(feeData.baseFee).toBeGreaterThan(0n);
  expect(feeData).not.toHaveProperty('legacy');
});

test('`simulate` returns the reason of a revert, and no gas', async () => {
  const simulation = await chain.simulate(callBy(platform, reveal), 'key');
  expect(simulation).toEqual({ failures: new Map([[0, reason]]), states: [], feeData: simulation.feeData });
});

test('`simulate` predicts which calls of a batch fail', async () => {
  const batch = batchBy(operator.address, commitOf(1), reveal, commitOf(1));
  const { gas, failures } = await chain.simulate(batch, 'forwarder');
  expect([...failures]).toEqual([
    [1, reason],
    [2, 'the registry refused: commit repeated'],
  ]);
  const { to, data } = batch;
  const { transactionHash } = await sendMined(registry.chain, { account: operator, to, data, gas });
  const query = { signerAddress: operator.address, hashes: [transactionHash], blockNumbers: [] };
  const receipt = (await chain.snapshot(query)).receipts.get(transactionHash);
  expect(receipt).toMatchObject({ succeeded: true, failedPositions: [1, 2] });
});

test.each([
  ['from a sender that is not an operator', () => batchBy(platform, commitOf(1)), 'sender not operator'],
  ['with a call that is not forwarded', () => batchBy(operator.address, '0x12345678'), 'selector forbidden'],
])('`simulate` rejects a batch %s', async (_, batch, words) => {
  const error: unknown = await chain.simulate(batch(), 'forwarder').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(CallRevertedError);
  expect((error as CallRevertedError).reason).toBe(`the forwarder refused: ${words}`);
});

test('`simulate` also runs for an account without funds', async () => {
  const { client } = registry.chain;
  for (const address of [platform, operator.address]) await client.setBalance({ address, value: 0n });
  const single = await chain.simulate(callBy(platform, commitOf(1)), 'key');
  expect(single).toMatchObject({ feeData: { balance: 0n }, failures: new Map() });
  expect(single.gas).toBeGreaterThan(21_000n);
  expect((await chain.simulate(callBy(platform, reveal), 'key')).failures.get(0)).toBe(reason);
  const batch = await chain.simulate(batchBy(operator.address, commitOf(3), reveal), 'forwarder');
  expect(batch).toMatchObject({ feeData: { balance: 0n }, failures: new Map([[1, reason]]) });
});

test('`revertReasons` reads the final block', async () => {
  await registry.mine(stranger, 'commit', [word(2)]);
  const again = callBy(stranger, commitOf(2));
  const reasonsOf = (confirmations: number) =>
    deepChain(confirmations).atFinal((view) => view.revertReasons([again], stranger));
  expect(await reasonsOf(1)).toEqual(['the registry refused: commit repeated']);
  expect(await reasonsOf(2)).toEqual([undefined]);
});

test('`isOperator` reads the newest or the final block', async () => {
  expect(await chain.isOperator(forwarder, operator.address)).toBe(true);
  const args = [operator.address] as const;
  const data = encodeFunctionData({ abi: delegateForwarderAbi, functionName: 'removeOperator', args });
  await sendMined(registry.chain, { to: forwarder, data });
  expect(await chain.isOperator(forwarder, operator.address)).toBe(false);
  const isFinalOperator = (confirmations: number) =>
    deepChain(confirmations).atFinal((view) => view.isOperator(forwarder, operator.address));
  expect(await isFinalOperator(2)).toBe(true);
  // There is no forwarder yet in the first block.
  await expect(isFinalOperator(100_000)).rejects.toThrow(ChainUnreachableError);
});
