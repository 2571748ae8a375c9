import { type Hash, type Hex, keccak256 } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { kmsSigner } from '../../../../functions/adapters/aws/kms-signer.ts';
import type { Chain, Fees } from '../../../../functions/domain/chain.ts';
import { ChainUnreachableError, TransactionRefusedError } from '../../../../functions/domain/errors.ts';
import { signedBytes } from '../../../../functions/domain/raw-transaction.ts';
import type { Signer } from '../../../../functions/domain/services.ts';
import { KmsInMemory } from '../../../../test/functions/adapters/aws/kms-in-memory.ts';
import { startChain, type TestChain } from '../chain.ts';
import { serviceChain } from './chain.ts';

const privateKey: Hex = `0x${'5e'.repeat(32)}`;
const address = privateKeyToAddress(privateKey);
const nowhere = `0x${'7'.repeat(40)}` as const;
const gwei = 10n ** 9n;
const fees: Fees = { maxFeePerGas: 50n * gwei, maxPriorityFeePerGas: gwei };

let anvil: TestChain;
let chain: Chain;
let signer: Signer;

beforeAll(async () => {
  anvil = await startChain();
  chain = serviceChain(anvil.rpcUrl, nowhere);
  signer = await kmsSigner(new KmsInMemory(privateKey).client, 'key');
});
afterAll(() => anvil.stop());

beforeEach(async () => {
  await anvil.client.setBalance({ address, value: 10n ** 18n });
});

const nonceNow = async () => (await read()).minedCount;

const read = (hashes: readonly Hash[] = [], blockNumbers: readonly number[] = []) =>
  chain.snapshot({ signerAddress: address, hashes, blockNumbers });

/** Signs a transfer of zero from the signer to itself. */
async function signTransfer(nonce: number, limits: Fees = fees): Promise<{ raw: Hex; hash: Hash }> {
  const unsigned = { chainId: 31_337, nonce, to: address, data: '0x', gasLimit: 21_000n, ...limits } as const;
  const { signature, hash } = await signer.sign(unsigned);
  return { raw: signedBytes(unsigned, signature), hash };
}

/** Sends a transfer, and waits until it is mined. */
async function sendNext(limits?: Fees): Promise<Hash> {
  const { raw, hash } = await signTransfer(await nonceNow(), limits);
  await chain.send(raw);
  await anvil.client.waitForTransactionReceipt({ hash });
  return hash;
}

test.each<[string, Fees, bigint]>([
  ['of EIP-1559', fees, 2n],
  ['of a legacy chain', { maxFeePerGas: 5n * gwei, maxPriorityFeePerGas: 5n * gwei, legacy: true }, 0n],
])('a transaction %s signed by KMS is mined under its hash', async (_, limits, type) => {
  const hash = await sendNext(limits);
  const receipt = (await read([hash])).receipts.get(hash);
  const mined = await anvil.client.getTransaction({ hash });
  expect(BigInt(mined.typeHex ?? '')).toBe(type);
  expect(mined.from).toBe(address.toLowerCase());
  const { gasUsed, effectiveGasPrice } = await anvil.client.getTransactionReceipt({ hash });
  expect(receipt).toMatchObject({ hash, succeeded: true, fee: gasUsed * effectiveGasPrice });
});

test('`snapshot` returns head, nonce, receipts with block times, and block hashes', async () => {
  const { client } = anvil;
  const first = await sendNext();
  await client.increaseTime({ seconds: 100 });
  const second = await sendNext();
  const head = await client.getBlock();
  const before = await client.getBlock({ blockNumber: head.number - 1n });
  const { receipts, ...rest } = await read([first, second, keccak256('0x00')], [Number(before.number), 9999]);
  expect(rest).toMatchObject({
    head: { number: Number(head.number), timestamp: Number(head.timestamp) },
    minedCount: await client.getTransactionCount({ address }),
    blockHashes: new Map([[Number(before.number), before.hash]]),
  });
  const times = [...receipts].map(([hash, { blockTimestamp }]) => [hash, blockTimestamp]);
  expect(times).toEqual([
    [first, Number(before.timestamp)],
    [second, Number(head.timestamp)],
  ]);
});

test('`send` succeeds for a transaction that the node already has', async () => {
  await anvil.client.setAutomine(false);
  const { raw, hash } = await signTransfer(await nonceNow());
  await chain.send(raw);
  await expect(chain.send(raw)).resolves.toBeUndefined();
  expect((await read([hash])).receipts.size).toBe(0);
  await anvil.client.mine({ blocks: 1 });
  await anvil.client.setAutomine(true);
  expect((await read([hash])).receipts.size).toBe(1);
});

test('`send` reports an unknown result for a used nonce, and a refusal for missing funds', async () => {
  const nonce = await nonceNow();
  await sendNext();
  const { raw } = await signTransfer(nonce);
  await expect(chain.send(raw)).rejects.toThrow(ChainUnreachableError);
  await anvil.client.setBalance({ address, value: 0n });
  await expect(sendNext()).rejects.toThrow(TransactionRefusedError);
});

test('`snapshot` shows a reorg: no receipt, a lower nonce and another block hash', async () => {
  const nonce = await nonceNow();
  const hash = await sendNext();
  const { head } = await read();
  const before = await read([hash], [head.number]);
  await anvil.client.request({ method: 'anvil_reorg', params: [1, []] } as never);
  const after = await read([hash], [head.number]);
  expect(before.receipts.size).toBe(1);
  expect(after).toMatchObject({ head: { number: head.number }, minedCount: nonce, receipts: new Map() });
  expect(after.blockHashes.get(head.number)).toMatch(/^0x/);
  expect(after.blockHashes.get(head.number)).not.toBe(before.blockHashes.get(head.number));
});

test('`transactionByNonce` returns the transaction once it is final', async () => {
  const deep = serviceChain(anvil.rpcUrl, nowhere, 4);
  const nonce = await nonceNow();
  const hash = await sendNext();
  await sendNext();
  expect(await deep.transactionByNonce(address, nonce)).toBeUndefined();
  await anvil.client.mine({ blocks: 2 });
  expect(await deep.transactionByNonce(address, nonce)).toBe(hash);
  await anvil.client.mine({ blocks: 300 });
  expect(await deep.transactionByNonce(address, nonce)).toBe(hash);
  expect(await deep.transactionByNonce(address, nonce + 2)).toBeUndefined();
});
