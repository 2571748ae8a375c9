import { delegateForwarderAbi as abi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { encodeFunctionResult, type Hex, numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { CallRevertedError, ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { chainOf, type Method, registryAddress, signerAddress, startHealthy } from './providers.ts';

const call = { from: signerAddress, to: registryAddress, data: '0x1234' } as const;

const node = (others: Readonly<Record<string, Method>>) =>
  startHealthy({
    eth_feeHistory: { result: { oldestBlock: '0x10', baseFeePerGas: ['0x1', '0x2'], gasUsedRatio: [0] } },
    eth_getBalance: { result: '0x0' },
    eth_estimateGas: { result: '0x9c40' },
    ...others,
  });

const reverts = { error: { code: 3, message: 'execution reverted' } };

const outcomes = (result: readonly Hex[]) => ({
  result: encodeFunctionResult({ abi, functionName: 'execute', result }),
});

const rest = { states: [], feeData: { blockNumber: 16, baseFee: 2n, tip: 0n, balance: 0n } };

test('a simulation is one request at the newest block, without a gas price', async () => {
  const seen: unknown[] = [];
  const { server, url } = await node({
    eth_estimateGas: (params) => {
      seen.push(params);
      return { result: '0x9c40' };
    },
  });
  expect(await chainOf([url]).simulate(call, 'key')).toEqual({ gas: 40_000n, failures: new Map(), ...rest });
  expect(server.requests.slice(1)).toEqual([['eth_estimateGas', 'eth_feeHistory', 'eth_getBalance']]);
  expect(seen).toEqual([[call, 'latest']]);
});

test('gas and fee data of a cancellation are read in one request', async () => {
  const seen: unknown[] = [];
  const { server, url } = await node({
    eth_estimateGas: (params) => {
      seen.push(params);
      return { result: '0x5208' };
    },
  });
  const chain = chainOf([url]);
  const [gas] = await Promise.all([chain.emptyTransferGas(signerAddress), chain.feeData(signerAddress)]);
  expect(gas).toBe(21_000n);
  expect(seen).toEqual([[{ from: signerAddress, to: signerAddress, data: '0x' }, 'latest']]);
  expect(server.requests.slice(1)).toHaveLength(1);
});

test('a single call that reverts has no gas estimate', async () => {
  const { url } = await node({ eth_estimateGas: reverts });
  const failures = new Map([[0, 'the registry refused the call']]);
  expect(await chainOf([url]).simulate(call, 'key')).toEqual({ failures, ...rest });
});

test('a batch is simulated in one request, with failures by position', async () => {
  const { server, url } = await node({ eth_call: outcomes(['0x', '0xdeadbeef', '0x']) });
  const failures = new Map([[1, 'the registry refused the call']]);
  expect(await chainOf([url]).simulate(call, 'forwarder')).toEqual({ gas: 40_000n, failures, ...rest });
  expect(server.requests).toHaveLength(2);
});

test('a simulation that exceeds the gas limit fails with that reason', async () => {
  const message = 'gas required exceeds allowance (16777216)';
  const { url } = await node({
    eth_estimateGas: { error: { code: -32000, message } },
    eth_call: outcomes(['0x']),
  });
  await expect(chainOf([url]).simulate(call, 'forwarder')).rejects.toThrow(
    'more gas than a transaction may use',
  );
});

test.each(['insufficient funds for transfer', 'gas required exceeds allowance (0)'])(
  'an estimate refused with "%s" is not a revert',
  async (message) => {
    const { url } = await node({
      eth_estimateGas: { error: { code: -32000, message } },
      eth_call: outcomes(['0x']),
    });
    const chain = chainOf([url]);
    await expect(chain.simulate(call, 'key')).rejects.toThrow(ChainUnreachableError);
    await expect(chain.simulate(call, 'forwarder')).rejects.toThrow(ChainUnreachableError);
  },
);

test.each<[string, Readonly<Record<string, Method>>]>([
  ['call', { eth_call: reverts }],
  ['estimate', { eth_estimateGas: reverts, eth_call: outcomes(['0x']) }],
])('a batch whose %s reverts as a whole throws `CallRevertedError`', async (_, others) => {
  const { url } = await node(others);
  await expect(chainOf([url]).simulate(call, 'forwarder')).rejects.toThrow(CallRevertedError);
});

test('a batch to a forwarder address without code does not count as successful', async () => {
  const { url } = await node({ eth_call: { result: '0x' } });
  await expect(chainOf([url]).simulate(call, 'forwarder')).rejects.toThrow(ChainUnreachableError);
});

const word = (value: number) => ({ result: numberToHex(value, { size: 32 }) });

/** Calls `canBatch` twice. @returns both answers, and the number of calls that the node got */
async function callTwice(answer: Method) {
  let calls = 0;
  const { url } = await startHealthy({
    eth_call: (params) => {
      calls += 1;
      return typeof answer === 'function' ? answer(params) : answer;
    },
  });
  const chain = chainOf([url]);
  const answers = [await chain.canBatch(registryAddress), await chain.canBatch(registryAddress)];
  return { answers, calls };
}

test.each([
  ['`canBatch` is true for a registry that accepts batches', word(383), [true, true], 1],
  ['`canBatch` is false for a registry without the view', reverts, [false, false], 1],
  ['`canBatch` reads again while a provider shows no contract', { result: '0x' }, [false, false], 2],
] as const)('%s', async (_, answer, answers, calls) => {
  expect(await callTwice(answer)).toEqual({ answers, calls });
});

test('`canBatch` throws when the provider does not answer', async () => {
  const busy = { error: { code: -32_005, message: 'limit exceeded' } };
  await expect(callTwice(busy)).rejects.toThrow(ChainUnreachableError);
});
