import {
  BaseError,
  CallExecutionError,
  ExecutionRevertedError,
  encodeErrorResult,
  HttpRequestError,
  RpcRequestError,
} from 'viem';
import { expect, test } from 'vitest';
import { attestationRegistryAbi as abi } from '../../../contracts/artifacts/attestation-registry-abi.ts';
import { isAlreadyKnown, revertOf } from '../../../functions/adapters/viem-errors.ts';

const url = 'http://127.0.0.1:1/secret';

function rpcError(error: { code: number; message: string; data?: unknown }): BaseError {
  const cause = new RpcRequestError({ body: {}, error: error as { code: number; message: string }, url });
  return new BaseError('call failed', { cause });
}

test.each([
  ['RevealTooEarly', [1n], 'reveal too early'],
  ['ContentAlreadyAttested', [7n], 'content already attested'],
] as const)('a revert with %s says so in words', (errorName, args, words) => {
  const data = encodeErrorResult({ abi, errorName, args } as Parameters<typeof encodeErrorResult>[0]);
  const error = rpcError({ code: 3, message: 'execution reverted', data });
  expect(revertOf(error)).toBe(`the registry refused: ${words}`);
});

test('a revert with data that nobody knows is a revert all the same', () => {
  const error = rpcError({ code: 3, message: 'execution reverted', data: '0xdeadbeef' });
  expect(revertOf(error)).toBe('the registry refused the call');
});

test('a revert without data is a revert all the same', () => {
  const reverted = new ExecutionRevertedError({ message: 'execution reverted' });
  expect(revertOf(new CallExecutionError(reverted, { to: null }))).toBe('the registry refused the call');
});

test.each([
  new HttpRequestError({ url, status: 503, details: 'Service Unavailable' }),
  rpcError({ code: -32000, message: 'insufficient funds for gas * price + value' }),
  rpcError({ code: -32005, message: 'limit exceeded' }),
  new Error('no viem error'),
  undefined,
])('what is no revert is not called one: %s', (error) => {
  expect(revertOf(error)).toBeUndefined();
});

test.each(['already known', 'ALREADY KNOWN', 'transaction already imported', 'known transaction: 0xabc'])(
  'a node that says "%s" has the transaction',
  (message) => {
    expect(isAlreadyKnown(rpcError({ code: -32000, message }))).toBe(true);
  },
);

test.each(['nonce too low', 'replacement transaction underpriced', 'unknown account'])(
  'a node that says "%s" does not say that it has the transaction',
  (message) => {
    expect(isAlreadyKnown(rpcError({ code: -32000, message }))).toBe(false);
  },
);
