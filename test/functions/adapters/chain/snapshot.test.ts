import { memberSkippedEvent } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi as abi, executedEvent } from 'imprimatur-contracts/delegate-forwarder-abi';
import {
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  type Hash,
  type Hex,
  numberToHex,
  toEventSelector,
} from 'viem';
import { expect, test } from 'vitest';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import {
  block,
  blockHash,
  chainOf,
  type Method,
  registryAddress,
  signerAddress,
  startHealthy,
} from './providers.ts';

const hash: Hash = `0x${'2'.repeat(64)}`;
const olderHash: Hash = `0x${'0'.repeat(63)}9`;
const forwarder: Hex = `0x${'f'.repeat(40)}`;

const older = { number: '0x9', timestamp: '0x11', hash: olderHash };

const receipt = {
  ...{ transactionHash: hash, status: '0x1', to: forwarder, logs: [] },
  ...{ blockHash, blockNumber: '0x10', gasUsed: '0x5208', effectiveGasPrice: '0x3' },
};

/** The event of a forwarder for a failed call. A malicious registry might emit the same. */
function callFailed(address: Hex, position: number) {
  const topics = encodeEventTopics({ abi, eventName: 'CallFailed', args: { position: BigInt(position) } });
  return { address, topics, data: encodeAbiParameters([{ type: 'bytes' }], ['0x1234']) };
}

const query = { signerAddress, hashes: [hash], blockNumbers: [] };

const newest: Method = ([tag]) => ({ result: tag === 'latest' ? block : tag === '0x9' ? older : null });

function providerOf(found: object | null, others: Readonly<Record<string, Method>> = {}) {
  return startHealthy({ eth_getTransactionReceipt: { result: found }, ...others });
}

async function receiptFrom(found: object | null, others?: Readonly<Record<string, Method>>) {
  const { url } = await providerOf(found, others);
  return (await chainOf([url]).snapshot(query)).receipts.get(hash);
}

test('a snapshot reads head, nonce, receipts and blocks in one request', async () => {
  const { server, url } = await providerOf(null, {
    eth_getBlockByNumber: newest,
    eth_getTransactionCount: ([, tag]) => ({ result: tag === 'latest' ? '0x5' : '0x8' }),
  });
  const chain = chainOf([url]);
  await chain.head();
  // The provider lacks one of the requested blocks.
  expect(await chain.snapshot({ ...query, hashes: [hash, olderHash], blockNumbers: [9, 17] })).toEqual({
    head: { number: 16, timestamp: 32 },
    finalNumber: 16,
    minedCount: 5,
    receipts: new Map(),
    blockHashes: new Map([[9, olderHash]]),
  });
  expect(server.requests).toHaveLength(3);
  expect(server.requests.at(-1)).toHaveLength(6);
});

test('a receipt in the newest block needs no further request', async () => {
  const { server, url } = await providerOf(receipt);
  const { receipts } = await chainOf([url]).snapshot(query);
  expect(receipts.get(hash)).toEqual({
    ...{ hash, succeeded: true, blockHash, blockNumber: 16, blockTimestamp: 32 },
    ...{ fee: 63_000n, failedPositions: [] },
  });
  expect(server.requests).toHaveLength(2);
});

test('receipts in other blocks need one more request, which reads each block once', async () => {
  const found: Method = ([transactionHash]) => ({
    result: { ...receipt, transactionHash, blockHash: olderHash, blockNumber: '0x9' },
  });
  const { server, url } = await startHealthy({
    eth_getTransactionReceipt: found,
    eth_getBlockByNumber: newest,
  });
  const { receipts } = await chainOf([url]).snapshot({ ...query, hashes: [hash, olderHash] });
  expect([...receipts.values()].map(({ blockTimestamp }) => blockTimestamp)).toEqual([17, 17]);
  expect(server.requests.slice(2)).toEqual([['eth_getBlockByNumber']]);
});

test('the receipt of a reverted transaction has `succeeded: false`', async () => {
  expect(await receiptFrom({ ...receipt, status: '0x0' })).toMatchObject({ succeeded: false, fee: 63_000n });
});

/** Fields of a receipt from tests of the OP-stack client, which check 422 wei of operator fee against the balance. */
const isthmusReceipt = {
  ...{ gasUsed: '0x12448', effectiveGasPrice: '0x6696339c', l1GasPrice: '0x1023dc7', l1GasUsed: '0x640' },
  ...{ l1Fee: '0x2353d65', operatorFeeScalar: '0x12c', operatorFeeConstant: '0x190' },
};

/** Fee for the gas and the data of `isthmusReceipt`, in wei. */
const gasAndDataFee = 128_781_093_286_213n;

test.each<[string, object, bigint]>([
  ['only data, without an operator fee', { l1Fee: '0x7' }, 63_007n],
  ['data and operator (gas × scalar / 1,000,000), before Jovian', isthmusReceipt, gasAndDataFee + 422n],
  [
    'data and operator (gas × scalar × 100), since Jovian',
    { ...isthmusReceipt, daFootprintGasScalar: '0x190', blobGasUsed: '0x9c40' },
    gasAndDataFee + 74_824n * 300n * 100n + 400n,
  ],
  ['only a constant of the operator', { operatorFeeScalar: '0x0', operatorFeeConstant: '0x5' }, 63_005n],
  [
    'nothing, if the gas includes the part for Ethereum',
    { gasUsedForL1: '0x1000', l1BlockNumber: '0x1' },
    63_000n,
  ],
])('the fee of a receipt includes what a rollup charges in addition to gas: %s', async (_, fields, fee) => {
  expect((await receiptFrom({ ...receipt, ...fields }))?.fee).toBe(fee);
});

test.each([
  ['the newest block’s', { ...block, baseFeePerGas: '0x68' }, { baseFee: 0x68n }],
  ['none on a chain without EIP-1559', block, {}],
])('the snapshot has the base fee: %s', async (_, newest, shown) => {
  const { url } = await startHealthy({ eth_getBlockByNumber: { result: newest } });
  const { head } = await chainOf([url]).snapshot({ ...query, hashes: [] });
  expect(head).toEqual({ number: 16, timestamp: 32, ...shown });
});

test('the failed positions are those that the forwarder itself reports', async () => {
  const logs = [callFailed(forwarder, 2), callFailed(registryAddress, 3), callFailed(forwarder, 95)];
  const other = { address: forwarder, topics: [hash, numberToHex(1, { size: 32 })], data: '0x' };
  expect((await receiptFrom({ ...receipt, logs: [...logs, other] }))?.failedPositions).toEqual([2, 95]);
});

test('the failed positions include skipped members, whoever called the registry', async () => {
  const skipped = (position: number) => ({
    address: registryAddress,
    topics: [toEventSelector(memberSkippedEvent), numberToHex(position, { size: 32 })],
    data: '0x',
  });
  const found = await receiptFrom({ ...receipt, logs: [skipped(1), skipped(47)] });
  expect(found).toMatchObject({ succeeded: true, failedPositions: [1, 47] });
});

test.each([
  ['one call that failed', forwarder, 1, 1, false],
  ['one call', forwarder, 1, 0, true],
  ['several calls that all failed', forwarder, 2, 2, true],
  ['the event of another contract', registryAddress, 1, 1, true],
])(
  '`succeeded` is false if the only call of a forwarder failed: %s',
  async (_, address, callCount, failureCount, succeeded) => {
    const data = concat([numberToHex(callCount, { size: 32 }), numberToHex(failureCount, { size: 32 })]);
    const executed = { address, topics: [toEventSelector(executedEvent), hash], data };
    expect(await receiptFrom({ ...receipt, logs: [executed] })).toMatchObject({ succeeded });
  },
);

test('the forwarder’s address is recognized in any case', async () => {
  const to = `0x${'F'.repeat(40)}`;
  expect((await receiptFrom({ ...receipt, to, logs: [callFailed(forwarder, 2)] }))?.failedPositions).toEqual([
    2,
  ]);
});

test.each([
  ['has no status', { ...receipt, status: undefined }],
  ['is of another transaction', { ...receipt, transactionHash: olderHash }],
  ['has a price that is not a number', { ...receipt, effectiveGasPrice: 'free' }],
  ['has no logs', { ...receipt, logs: undefined }],
])('a receipt that %s is rejected', async (_, found) => {
  const { url } = await providerOf(found);
  await expect(chainOf([url]).snapshot(query)).rejects.toThrow(ChainUnreachableError);
});

test.each<[string, object]>([
  ['has no block yet', { blockHash: null, blockNumber: null }],
  ['is of a block that no node has yet', { blockNumber: '0x11', blockHash: hash }],
  ['is of a block above the head', { blockNumber: '0x11' }],
  ['is of another block than the newest', { blockHash: olderHash }],
  ['is of another block than the one at its height', { blockNumber: '0x9' }],
  ['is of a block that the provider lacks', { blockNumber: '0x8', blockHash: olderHash }],
])('a snapshot leaves out a receipt that %s, and includes the others', async (_, blockFields) => {
  const found: Method = ([transactionHash]) => ({
    result: { ...receipt, transactionHash, ...(transactionHash === hash ? blockFields : {}) },
  });
  const { url } = await startHealthy({ eth_getTransactionReceipt: found, eth_getBlockByNumber: newest });
  const { receipts, head } = await chainOf([url]).snapshot({ ...query, hashes: [hash, olderHash] });
  expect([...receipts.keys()]).toEqual([olderHash]);
  expect(head.number).toBe(16);
});

test.each([
  [1, 16],
  [3, 14],
  [16, 1],
  [40, 0],
])('with %i confirmations and head 16, the final block is %i', async (confirmations, finalNumber) => {
  const { url } = await providerOf(null);
  expect(await chainOf([url], { confirmations }).snapshot(query)).toMatchObject({ finalNumber });
});

const answerWithFinalized =
  (finalized: object | null): Method =>
  ([tag]) => ({ result: tag === 'finalized' ? finalized : block });

test.each([
  ['the block that the provider shows as finalized', '0x9', 9],
  ['at most the head, if another node of the provider is ahead', '0x12', 16],
])('with the tag "finalized", the final block is %s', async (_, number, finalNumber) => {
  const { server, url } = await providerOf(null, {
    eth_getBlockByNumber: answerWithFinalized({ ...older, number }),
  });
  const chain = chainOf([url], { confirmations: 'finalized' });
  expect(await chain.snapshot(query)).toMatchObject({ finalNumber });
  expect(server.requests).toHaveLength(2);
});

test('the next provider is used when the first has no finalized block', async () => {
  const { url } = await providerOf(null, { eth_getBlockByNumber: answerWithFinalized(null) });
  const second = await providerOf(null, { eth_getBlockByNumber: answerWithFinalized(older) });
  const chain = chainOf([url, second.url], { confirmations: 'finalized' });
  expect((await chain.snapshot(query)).finalNumber).toBe(9);
});
