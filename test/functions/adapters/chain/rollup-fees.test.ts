import { type Hex, hexToBigInt, numberToHex, slice, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import type { Answer } from '../../../fakes/rpc/rpc-server.ts';
import { chainOf, healthy, type Method, registryAddress, signerAddress } from './providers.ts';

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

function rollup(changed: Partial<Oracle> = {}, others: Readonly<Record<string, Method>> = {}) {
  const { data, operator } = { ...oracle, ...changed };
  return healthy({
    eth_feeHistory: { result: { oldestBlock: '0x10', baseFeePerGas: ['0x1', '0x2'], gasUsedRatio: [0] } },
    eth_getBalance: { result: '0x0' },
    eth_estimateGas: { result: '0x9c40' },
    eth_call: ([call]) => {
      const { to, data: input } = call as { to: Hex; data: Hex };
      if (to !== '0x420000000000000000000000000000000000000F') return undefined;
      const argument = hexToBigInt(slice(input, 4));
      if (slice(input, 0, 4) === dataSelector) return data(argument);
      return slice(input, 0, 4) === operatorSelector ? operator(argument) : undefined;
    },
    ...others,
  });
}

const call = { from: signerAddress, to: registryAddress, data: `0x${'11'.repeat(872)}` } as const;

const chain = (url: string) => chainOf([url], { rollup: 'opStack' });

test('are read with the simulation, in one request, for its calldata and an envelope', async () => {
  const { server, url } = await rollup();
  const { feeData } = await chain(url).simulate(call, 'key');
  expect(feeData).toEqual({
    ...{ blockNumber: 16, baseFee: 2n, tip: 0n, balance: 0n },
    rollupFees: {
      dataFee: 1_000_000n,
      operatorFeeConstant: 400n,
      operatorFeePerMillionGas: 30_000_000_000n,
    },
  });
  expect(server.requests.slice(1)).toHaveLength(1);
});

test('are part of the fee data, as of a transaction without calldata', async () => {
  const { url } = await rollup();
  expect((await chain(url).feeData(signerAddress)).rollupFees?.dataFee).toBe(128_000n);
});

test('have no operator in them before Isthmus', async () => {
  const { url } = await rollup({ operator: () => revert });
  expect((await chain(url).feeData(signerAddress)).rollupFees).toEqual({
    ...{ dataFee: 128_000n, operatorFeeConstant: 0n, operatorFeePerMillionGas: 0n },
  });
});

test('are not asked for on a chain whose settings name no roll-up', async () => {
  const { server, url } = await rollup();
  expect(await chainOf([url]).feeData(signerAddress)).not.toHaveProperty('rollupFees');
  expect(server.requests.flat()).not.toContain('eth_call');
});

test.each<[string, Partial<Oracle>, string]>([
  ['is not there', { data: () => ({ result: '0x' }) }, 'no gas price oracle: this is no OP-stack chain'],
  ['is older than Fjord', { data: () => revert }, 'execution reverted'],
  ['answers with something else', { data: () => ({ result: null }) }, 'eth_call with something else'],
  [
    'fails at the operator’s fee',
    { operator: () => ({ error: { code: -32005, message: 'limit exceeded' } }) },
    'limit exceeded',
  ],
])('an oracle that %s is an error that says so', async (_, changed, words) => {
  const { url } = await rollup(changed);
  const failure = await chain(url)
    .feeData(signerAddress)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ChainUnreachableError);
  expect(String((failure as Error).cause)).toContain(words);
});

test('a cancellation’s gas and fee data are asked for in one request', async () => {
  const seen: unknown[] = [];
  const { server, url } = await rollup(
    {},
    {
      eth_estimateGas: (params) => {
        seen.push(params);
        return { result: '0x5208' };
      },
    },
  );
  const plain = chainOf([url]);
  const [gas] = await Promise.all([plain.emptyTransferGas(signerAddress), plain.feeData(signerAddress)]);
  expect(gas).toBe(21_000n);
  expect(seen).toEqual([[{ from: signerAddress, to: signerAddress, data: '0x' }, 'latest']]);
  expect(server.requests.slice(1)).toHaveLength(1);
});
