import type { Hash, Hex } from 'viem';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { signedBytes } from '../../functions/domain/raw-transaction.ts';
import { FakeSigner } from '../fakes/ports/fake-signer.ts';
import { startRealAnvil } from '../fakes/real/real-anvil.ts';
import { RealNode } from '../fakes/real/real-node.ts';
import { askAt } from '../fakes/rpc/rpc-call.ts';

const start = 1_767_225_600;
const gwei = 1_000_000_000n;
const anvil = await startRealAnvil(start);
const ask = askAt(anvil.url);

let now = start;
let keys = 0;
let node: RealNode;
let signer: FakeSigner;

beforeEach(async () => {
  signer = new FakeSigner(`0x${String(++keys).padStart(64, '0')}`);
  node = await RealNode.takeOver(ask);
  await ask('anvil_setBalance', [signer.address, '0xde0b6b3a7640000']);
  await mine();
});

afterAll(() => anvil.stop());

function mine(): Promise<void> {
  now += 2;
  return node.mine(now);
}

/** An empty transfer of the signer to itself. */
async function sign(nonce: number, feeGwei = 20n): Promise<Hex> {
  const fees = { maxFeePerGas: feeGwei * gwei, maxPriorityFeePerGas: feeGwei * 10_000_000n };
  const transfer = {
    chainId: 31_337,
    nonce,
    to: signer.address,
    data: '0x',
    gasLimit: 21_000n,
    ...fees,
  } as const;
  const { signature } = await signer.sign(transfer);
  return signedBytes(transfer, signature);
}

async function send(nonce: number, feeGwei?: bigint): Promise<Hash> {
  return node.send(await sign(nonce, feeGwei));
}

/** The nonces in the newest block. */
const minedNonces = () => node.blocks.at(-1)?.transactions.map(({ nonce }) => nonce);

test('blocks have the times they are told, and what was sent', async () => {
  const hash = await send(0);
  await send(1);
  await mine();
  expect(node.blocks.at(-1)).toMatchObject({ timestamp: now, transactions: [{ hash }, { nonce: 1 }] });
  expect(await node.transactionCount(signer.address)).toBe(2);
});

test('what pays too little for a block waits for one that asks less', async () => {
  await node.setBaseFee(50n * gwei);
  await send(0);
  await mine();
  await send(1, 60n);
  await mine();
  expect(minedNonces()).toEqual([]);
  await node.setBaseFee(10n * gwei);
  await mine();
  expect(minedNonces()).toEqual([0, 1]);
});

test('a base fee set is the next block’s in the fee history, and stays', async () => {
  await node.setBaseFee(50n * gwei);
  await mine();
  const { baseFeePerGas } = (await ask('eth_feeHistory', ['0x1', 'latest', []])) as {
    baseFeePerGas: string[];
  };
  expect(baseFeePerGas.map(BigInt)).toEqual([50n * gwei, 50n * gwei]);
});

test('what comes after a gap waits until it is filled', async () => {
  await send(1);
  await mine();
  expect(minedNonces()).toEqual([]);
  await send(0);
  await mine();
  expect(minedNonces()).toEqual([0, 1]);
});

test('what the sender cannot pay waits until he can', async () => {
  await send(0);
  await ask('anvil_setBalance', [signer.address, '0x0']);
  await mine();
  expect(minedNonces()).toEqual([]);
  await ask('anvil_setBalance', [signer.address, '0xde0b6b3a7640000']);
  await mine();
  expect(minedNonces()).toEqual([0]);
});

test('what is dropped is forgotten', async () => {
  await send(0);
  node.mempool.drop(0);
  await mine();
  expect(minedNonces()).toEqual([]);
});

test('a replacement pays a tenth more, whether the first can be mined or waits', async () => {
  await node.setBaseFee(10n * gwei);
  await send(0, 20n);
  await expect(send(0, 21n)).rejects.toThrow('underpriced');
  await send(0, 22n);
  await node.setBaseFee(50n * gwei);
  await mine();
  await expect(send(0, 23n)).rejects.toThrow('underpriced');
  const hash = await send(0, 60n);
  await mine();
  expect(node.blocks.at(-1)?.transactions).toMatchObject([{ hash }]);
});

test('the same bytes again and a nonce used are refused in anvil’s words', async () => {
  const raw = await sign(0);
  await node.send(raw);
  await expect(node.send(raw)).rejects.toThrow('already imported');
  await mine();
  await expect(send(0)).rejects.toThrow('nonce too low');
});

test.each([
  [{}, [[], []], [0, 1]],
  [{ remine: true }, [[0, 1], []], []],
  [{ drop: true }, [[], []], []],
])('a reorganisation replaces blocks, %j', async (how, inNewBlocks, later) => {
  await send(0);
  await mine();
  await send(1);
  await mine();
  const before = node.blocks.slice(-3);
  await node.reorganise(2, how);
  const after = node.blocks.slice(-3);
  const nonces = after.slice(1).map(({ transactions }) => transactions.map(({ nonce }) => nonce));
  expect(nonces).toEqual(inNewBlocks);
  expect(after.map(({ number, timestamp }) => [number, timestamp])).toEqual(
    before.map(({ number, timestamp }) => [number, timestamp]),
  );
  expect(after.map(({ hash }, index) => hash === before[index]?.hash)).toEqual([true, false, false]);
  expect(await node.transactionCount(signer.address)).toBe(inNewBlocks.flat().length);
  await mine();
  expect(minedNonces()).toEqual(later);
});
