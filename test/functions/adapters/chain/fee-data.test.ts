import { type Hex, hexToBigInt, numberToHex, slice, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import type { Answer } from '../../../fakes/rpc/rpc-server.ts';
import { block, chainOf, type Method, registryAddress, signerAddress, startHealthy } from './providers.ts';

const history = {
  oldestBlock: '0xc',
  baseFeePerGas: ['0x64', '0x65', '0x66', '0x67', '0x68', '0x69'],
  gasUsedRatio: [0.5, 0.5, 0.5, 0.5, 0.5],
  reward: [['0x5'], ['0x1'], ['0x9'], ['0x3'], ['0x2']],
};

/** Answer of nodes that know the method, on chains without EIP-1559. */
const zeros = { ...history, baseFeePerGas: Array(6).fill('0x0'), reward: Array(5).fill(['0x0']) };

const missing = { error: { code: -32601, message: 'the method eth_feeHistory does not exist' } };
const priced = { ...block, baseFeePerGas: '0x0' };

const startFees = (others: Readonly<Record<string, Method>>) =>
  startHealthy({
    eth_feeHistory: { result: history },
    eth_getBalance: { result: '0xde0b6b3a7640000' },
    eth_gasPrice: { result: '0x77' },
    ...others,
  });

const legacy = { blockNumber: 16, baseFee: 0n, tip: 0x77n, balance: 10n ** 18n, legacy: true };

test('fee data is the next base fee, the median tip and the balance, in one request', async () => {
  const { server, url } = await startFees({});
  expect(await chainOf([url]).feeData(signerAddress)).toEqual({
    ...{ blockNumber: 16, baseFee: 0x69n, tip: 3n, balance: 10n ** 18n },
  });
  expect(server.requests.slice(1)).toEqual([['eth_feeHistory', 'eth_getBalance']]);
});

test('fee data has no tip when the node reports none', async () => {
  const { url } = await startFees({ eth_feeHistory: { result: { ...history, reward: null } } });
  expect((await chainOf([url]).feeData(signerAddress)).tip).toBe(0n);
});

test('the fee history covers a chain shorter than five blocks', async () => {
  const young = { oldestBlock: '0x0', baseFeePerGas: ['0x1', '0x2'], gasUsedRatio: [0], reward: [['0x4']] };
  const { url } = await startFees({ eth_feeHistory: { result: young } });
  expect(await chainOf([url]).feeData(signerAddress)).toMatchObject({ blockNumber: 0, baseFee: 2n, tip: 4n });
});

test.each<[string, Method]>([
  ['do not know the fee history', missing],
  ['return a fee history of zeros', { result: zeros }],
])('fee data is the gas price on a chain without EIP-1559 whose nodes %s', async (_, answer) => {
  const { url } = await startFees({ eth_feeHistory: answer });
  expect(await chainOf([url]).feeData(signerAddress)).toEqual(legacy);
});

test('fee data of a chain known to lack EIP-1559 takes one request', async () => {
  const { server, url } = await startFees({ eth_feeHistory: missing });
  const chain = chainOf([url]);
  await chain.feeData(signerAddress);
  const before = server.requests.length;
  expect(await chain.feeData(signerAddress)).toEqual(legacy);
  expect(server.requests.slice(before)).toEqual([['eth_getBlockByNumber', 'eth_gasPrice', 'eth_getBalance']]);
});

test('fee data has a base fee as soon as a chain adopts EIP-1559', async () => {
  let upgraded = false;
  const { url } = await startFees({
    eth_feeHistory: () => ({ result: upgraded ? history : zeros }),
    eth_getBlockByNumber: () => ({ result: upgraded ? { ...block, baseFeePerGas: '0x68' } : block }),
  });
  const chain = chainOf([url]);
  expect(await chain.feeData(signerAddress)).toEqual(legacy);
  upgraded = true;
  expect(await chain.feeData(signerAddress)).toMatchObject({ baseFee: 0x69n, tip: 3n });
  expect(await chain.feeData(signerAddress)).not.toHaveProperty('legacy');
});

test('a chain with a base fee of zero is not taken for one without EIP-1559', async () => {
  const { url } = await startFees({
    eth_feeHistory: { result: { ...zeros, reward: history.reward } },
    eth_getBlockByNumber: { result: priced },
  });
  const found = await chainOf([url]).feeData(signerAddress);
  expect(found).toEqual({ blockNumber: 16, baseFee: 0n, tip: 3n, balance: 10n ** 18n });
});

test('a chain whose node refuses the fee history because it is busy is not taken for one without EIP-1559', async () => {
  const busy = { error: { code: -32005, message: 'limit exceeded' } };
  const { url } = await startFees({
    eth_feeHistory: busy,
    eth_getBlockByNumber: { result: { ...block, baseFeePerGas: '0x68' } },
  });
  await expect(chainOf([url]).feeData(signerAddress)).rejects.toThrow(ChainUnreachableError);
});

test('the balance and the newest block are read in one request', async () => {
  const { server, url } = await startFees({});
  const chain = chainOf([url]);
  const [head, balance] = await Promise.all([chain.head(), chain.balance(signerAddress)]);
  expect([head.number, balance]).toEqual([16, 10n ** 18n]);
  expect(server.requests.slice(1)).toEqual([['eth_getBlockByNumber', 'eth_getBalance']]);
});

const dataSelector = toFunctionSelector('function getL1FeeUpperBound(uint256)');
const operatorSelector = toFunctionSelector('function getOperatorFee(uint256)');

const amount = (wei: bigint): Answer => ({ result: numberToHex(wei, { size: 32 }) });
const revert: Answer = { error: { code: 3, message: 'execution reverted' } };

interface Oracle {
  readonly data: (bytes: bigint) => Answer;
  readonly operator: (gas: bigint) => Answer;
}

const oracle: Oracle = {
  data: (bytes) => amount(bytes * 1000n),
  operator: (gas) => amount(gas * 300n * 100n + 400n),
};

function startRollup(overrides: Partial<Oracle> = {}) {
  const { data, operator } = { ...oracle, ...overrides };
  return startFees({
    eth_estimateGas: { result: '0x9c40' },
    eth_call: ([call]) => {
      const { to, data: input } = call as { to: Hex; data: Hex };
      if (to !== '0x420000000000000000000000000000000000000F') return undefined;
      const argument = hexToBigInt(slice(input, 4));
      if (slice(input, 0, 4) === dataSelector) return data(argument);
      return slice(input, 0, 4) === operatorSelector ? operator(argument) : undefined;
    },
  });
}

const call = { from: signerAddress, to: registryAddress, data: `0x${'11'.repeat(872)}` } as const;

const chain = (url: string) => chainOf([url], { rollup: 'opStack' });

test('rollup fees for calldata and envelope are read in the same request as the simulation', async () => {
  const { server, url } = await startRollup();
  const simulated = await chain(url).simulate(call, 'key');
  expect(simulated.feeData).toEqual({
    ...{ blockNumber: 16, baseFee: 0x69n, tip: 3n, balance: 10n ** 18n },
    rollupFees: { dataFee: 1_000_000n, operatorFeeConstant: 400n, operatorFeePerMillionGas: 30_000_000_000n },
  });
  expect(server.requests.slice(1)).toHaveLength(1);
});

test('fee data includes the rollup fees of a transaction without calldata', async () => {
  const { url } = await startRollup();
  expect((await chain(url).feeData(signerAddress)).rollupFees?.dataFee).toBe(128_000n);
});

test('rollup fees before Isthmus have no operator fee', async () => {
  const { url } = await startRollup({ operator: () => revert });
  expect((await chain(url).feeData(signerAddress)).rollupFees).toEqual({
    ...{ dataFee: 128_000n, operatorFeeConstant: 0n, operatorFeePerMillionGas: 0n },
  });
});

test('rollup fees are not read on a chain that is not a rollup', async () => {
  const { server, url } = await startRollup();
  expect(await chainOf([url]).feeData(signerAddress)).not.toHaveProperty('rollupFees');
  expect(server.requests.flat()).not.toContain('eth_call');
});

test.each<[string, Partial<Oracle>, string]>([
  ['does not exist', { data: () => ({ result: '0x' }) }, 'this is not an OP-stack chain'],
  ['is older than Fjord', { data: () => revert }, 'execution reverted'],
  ['sends a malformed answer', { data: () => ({ result: null }) }, 'malformed answer to eth_call'],
  [
    'fails at the operator’s fee',
    { operator: () => ({ error: { code: -32005, message: 'limit exceeded' } }) },
    'limit exceeded',
  ],
])('an oracle that %s causes an error with that reason', async (_, overrides, reason) => {
  const { url } = await startRollup(overrides);
  const failure = await chain(url)
    .feeData(signerAddress)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ChainUnreachableError);
  expect(String((failure as Error).cause)).toContain(reason);
});
