import { beforeEach, expect, test } from 'vitest';
import { signedBytes } from '../../../functions/domain/raw-transaction.ts';
import { makeWorld, registryAddress, type World } from '../world/world.ts';

const gwei = 1_000_000_000n;
const coin = 10n ** 18n;
const unfunded = 'insufficient funds for gas * price + value';

let world: World;

beforeEach(() => {
  world = makeWorld();
});

interface Sent {
  readonly gasLimit?: bigint;
  readonly gweiPerGas?: bigint;
}

/** Sends a transaction of a million gas at 100 gwei, a tenth of a coin. */
async function send(nonce: number, { gasLimit = 1_000_000n, gweiPerGas = 100n }: Sent = {}): Promise<void> {
  const { chain, signer } = world;
  const fees = { maxFeePerGas: gweiPerGas * gwei, maxPriorityFeePerGas: gweiPerGas * gwei };
  const { chainId } = chain.settings;
  const unsigned = { chainId, nonce, to: registryAddress, data: '0x' as const, gasLimit, ...fees };
  const { signature } = await signer.sign(unsigned);
  await chain.send(signedBytes(unsigned, signature));
}

test('a transaction may cost a coin, and no more', async () => {
  await send(0, { gasLimit: 10_000_000n });
  await expect(send(1, { gasLimit: 10_000_001n })).rejects.toThrow(
    'tx fee (1.00 ether) exceeds the configured cap (1.00 ether)',
  );
  world.chain.poolRules.feeCap = coin / 2n;
  await expect(send(1, { gasLimit: 6_000_000n })).rejects.toThrow(
    'tx fee (0.60 ether) exceeds the configured cap (0.50 ether)',
  );
});

test('a node without a fee cap takes what the account can pay', async () => {
  world.chain.poolRules.feeCap = 1000n * coin;
  await send(0, { gasLimit: 15_000_000n, gweiPerGas: 1000n });
});

test('the balance must cover all that waits, and of a replaced transaction only the new price', async () => {
  world.chain.setBalance(world.signer.address, coin / 4n);
  await send(0);
  await send(1);
  await expect(send(2)).rejects.toThrow(unfunded);
  await send(1, { gweiPerGas: 110n });
  await expect(send(1, { gweiPerGas: 160n })).rejects.toThrow(unfunded);
  expect(world.chain.mempool.nonces()).toEqual([0, 1]);
});

test('a node that does not add up takes each transaction that the balance covers', async () => {
  world.chain.poolRules.coversAll = false;
  world.chain.setBalance(world.signer.address, coin / 8n);
  await send(0);
  await send(1);
  await expect(send(2, { gasLimit: 2_000_000n })).rejects.toThrow(unfunded);
});

test('a gap in the nonces is refused where the node wants them without one', async () => {
  await send(2);
  world.chain.poolRules.refusesGaps = true;
  await expect(send(1)).rejects.toThrow('nonce too high');
  await send(0);
  await send(1);
  world.mine();
  expect(world.chain.mempool.nonces()).toEqual([]);
  await expect(send(2)).rejects.toThrow('nonce too low');
  await send(3);
});

test('an account has so many slots, and needs none for a replacement or for its next nonce', async () => {
  world.chain.poolRules.slots = 2;
  await send(1);
  await send(2);
  await expect(send(3)).rejects.toThrow('account limit exceeded');
  await send(0);
  world.mine();
  expect(world.chain.mempool.nonces()).toEqual([]);
});

test('slots are free again when transactions are mined', async () => {
  world.chain.poolRules.slots = 2;
  await send(0);
  await send(1);
  await expect(send(2)).rejects.toThrow('account limit exceeded');
  await send(1, { gweiPerGas: 120n });
  world.mine();
  await send(2);
});
