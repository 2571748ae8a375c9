import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { BaseError, encodeErrorResult, type Hex, HttpRequestError, parseAbi, RpcRequestError } from 'viem';
import { expect, test } from 'vitest';
import {
  isAlreadyKnown,
  providerErrorText,
  reasonOf,
  revertOf,
  rpcRefusal,
} from '../../../../functions/adapters/chain/rpc-errors.ts';

const url = 'http://127.0.0.1:1/secret';
const abi = [...attestationRegistryAbi, ...delegateForwarderAbi];

/** Wraps the error of a node's answer as viem does. */
function rpcError(error: { code: number; message: string; data?: unknown }): BaseError {
  return new BaseError('call failed', { cause: new RpcRequestError({ body: {}, error, url }) });
}

const solidity = parseAbi(['error Error(string)']);

function errorText(text: string): Hex {
  return encodeErrorResult({ abi: solidity, errorName: 'Error', args: [text] });
}

const tooEarly = encodeErrorResult({ abi, errorName: 'RevealTooEarly', args: [1n] });
const attested = encodeErrorResult({ abi, errorName: 'ContentAlreadyAttested', args: [7n] });
const notOperator = encodeErrorResult({ abi, errorName: 'SenderNotOperator', args: [`0x${'1'.repeat(40)}`] });
const dataMissing = encodeErrorResult({ abi, errorName: 'RevertDataMissing' });

test.each([
  ['an error of the registry', tooEarly, 'the registry refused: reveal too early'],
  ['another error of the registry', attested, 'the registry refused: content already attested'],
  ['an error of the forwarder', notOperator, 'the forwarder refused: sender not operator'],
  ['a text', errorText('Already attested'), 'the registry refused: Already attested'],
  ['an error that nobody knows', '0xdeadbeef', 'the registry refused the call'],
  ['nothing', '0x', 'the registry refused the call'],
  ['the error for missing revert data', dataMissing, 'the registry refused the call'],
] as const)('`reasonOf` describes revert data that is %s', (_, data, reason) => {
  expect(reasonOf(data)).toBe(reason);
});

test('`reasonOf` describes the remaining part of a text that was cut at 256 bytes', () => {
  const text = 'a long reason, '.repeat(20);
  const cut = errorText(text).slice(0, 2 + 512) as Hex;
  expect(reasonOf(cut)).toBe(`the registry refused: ${text.slice(0, 256 - 68)}`);
});

test.each([
  ['of geth', { code: 3, message: 'execution reverted', data: tooEarly }],
  ['of geth, with a text', { code: 3, message: 'execution reverted: too early', data: tooEarly }],
  ['of Nethermind', { code: -32015, message: 'VM execution error.', data: `Reverted ${tooEarly}` }],
  ['of Besu', { code: -32000, message: 'Execution reverted', data: tooEarly }],
  ['of a node with a message of its own', { code: -32603, message: 'oops', data: tooEarly }],
])('`revertOf` describes a revert %s', (_, error) => {
  expect(revertOf(rpcError(error))).toBe('the registry refused: reveal too early');
});

test.each([
  { code: 3, message: 'execution reverted' },
  { code: 3, message: 'VM Exception' },
  { code: -32000, message: 'execution reverted' },
  { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' },
])('`revertOf` recognizes a revert without data: %o', (error) => {
  expect(revertOf(rpcError(error))).toBe('the registry refused the call');
});

test.each([
  new HttpRequestError({ url, status: 503, details: 'Service Unavailable' }),
  rpcError({ code: -32000, message: 'insufficient funds for gas * price + value' }),
  rpcError({ code: -32000, message: 'gas required exceeds allowance (0)' }),
  rpcError({ code: -32000, message: 'header not found' }),
  rpcError({ code: -32005, message: 'limit exceeded', data: { see: 'https://provider.example' } }),
  new Error('execution reverted, according to something that is no node'),
  undefined,
])('`revertOf` returns nothing for an error that is not a revert: %s', (error) => {
  expect(revertOf(error)).toBeUndefined();
});

test.each([
  'already known',
  'ALREADY KNOWN',
  'AlreadyKnown',
  'transaction already imported',
  'known transaction: 0xabc',
])('"%s" means that the node has the transaction', (message) => {
  expect(isAlreadyKnown(rpcError({ code: -32000, message }))).toBe(true);
});

test.each([
  'nonce too low',
  'replacement transaction underpriced',
  'unknown account',
  'unknown transaction type',
])('"%s" does not mean that the node has the transaction', (message) => {
  expect(isAlreadyKnown(rpcError({ code: -32000, message }))).toBe(false);
});

test('a node’s error is an answer, unless the node is busy', () => {
  expect(rpcRefusal(rpcError({ code: -32601, message: 'no such method' }))?.code).toBe(-32601);
  expect(rpcRefusal(new HttpRequestError({ url, status: 503 }))).toBeUndefined();
});

test.each([
  [new HttpRequestError({ url, status: 429, details: 'Too Many Requests' }), 'HTTP 429 Too Many Requests'],
  [rpcError({ code: -32000, message: 'nonce too low' }), 'nonce too low'],
  [new Error('plain'), 'plain'],
])('`providerErrorText` describes an error without the URL: %#', (error, text) => {
  expect(providerErrorText(error)).toBe(text);
});
