import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Attestation, OperationKind } from '../../../functions/domain/attestation/attestation.ts';
import type { Call } from '../../../functions/domain/chain.ts';
import { registryCall } from '../../../functions/domain/operation/registry-call.ts';
import { signedBytes } from '../../../functions/domain/raw-transaction.ts';
import { batchCallOf, routeOf } from '../../../functions/domain/sending/batch-call.ts';
import type { SimulatedChain } from '../chain/simulated-chain.ts';
import { FakeSigner } from '../ports/fake-signer.ts';
import { alice, forwarderAddress, makeWorld, registryAddress, type World } from './world.ts';

const gwei = 1_000_000_000n;
const usualFees = { maxFeePerGas: 20n * gwei, maxPriorityFeePerGas: gwei };

let world: World;
let chain: SimulatedChain;

beforeEach(() => {
  world = makeWorld({ forwarder: true, confirmations: 3 });
  chain = world.chain;
});

/** A call for a content of alice's, by her delegate. */
function call(text: string, kind: OperationKind, delegateAddress: Address = forwarderAddress): Call {
  const { authorityAddress } = alice;
  const digest = keccak256(toHex(text));
  const content = { digest, salt: digest, quoteRoot: digest, childDigest: digest, attestationIndex: 1 };
  const row = { ...content, delegateAddress, registryAddress, authorityAddress };
  return registryCall(row as Attestation, kind);
}

interface Sending {
  readonly signer?: FakeSigner;
  readonly gasLimit?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly legacy?: true;
}

async function send(nonce: number, { to, data }: Omit<Call, 'from'>, sending: Sending = {}): Promise<Hex> {
  const { signer = world.signer, gasLimit = 10_000_000n, ...fees } = sending;
  const { chainId } = chain.settings;
  const unsigned = { chainId, nonce, to, data, gasLimit, ...usualFees, ...fees };
  const { signature, hash } = await signer.sign(unsigned);
  await chain.send(signedBytes(unsigned, signature));
  return hash;
}

function batch(...calls: readonly Call[]): Call {
  return batchCallOf(calls, 'forwarder', world.signer.address);
}

async function countOf(): Promise<number> {
  const look = { signerAddress: world.signer.address, hashes: [], blockNumbers: [] };
  return (await chain.snapshot(look)).minedCount;
}

async function receiptOf(hash: Hex) {
  const signerAddress = world.signer.address;
  return (await chain.snapshot({ signerAddress, hashes: [hash], blockNumbers: [] })).receipts.get(hash);
}

describe('a forwarder', () => {
  test('makes every call, and one that fails fails alone', async () => {
    const commit = call('a', 'commit');
    const hash = await send(0, batch(commit, commit, call('b', 'commit')));
    chain.mine();
    expect(await receiptOf(hash)).toMatchObject({ succeeded: true, failedPositions: [1] });
    chain.mine(10);
    const reveals = await send(1, batch(call('a', 'reveal'), call('b', 'reveal'), call('c', 'reveal')));
    chain.mine();
    expect(await receiptOf(reveals)).toMatchObject({ succeeded: true, failedPositions: [2] });
    expect(chain.state.count).toBe(2);
  });

  test('takes nothing from a stranger, as soon as its admin says so', async () => {
    await send(0, batch(call('a', 'commit')));
    chain.removeOperator(forwarderAddress, world.signer.address);
    expect(await chain.isOperator(forwarderAddress, world.signer.address)).toBe(false);
    expect(await chain.atFinal((view) => view.isOperator(forwarderAddress, world.signer.address))).toBe(true);
    const hash = await send(1, batch(call('b', 'commit')));
    chain.mine();
    expect(await receiptOf(hash)).toMatchObject({ succeeded: false });
    await expect(chain.simulate(batch(call('b', 'commit')), 'forwarder')).rejects.toThrow(
      'sender not operator',
    );
  });

  test('forwards no call but the three of its interface', async () => {
    const args = [forwarderAddress] as const;
    const data = encodeFunctionData({ abi: attestationRegistryAbi, functionName: 'delegate', args });
    const delegation = { ...call('a', 'commit'), data };
    const unknown = { ...delegation, data: '0x12345678' as Hex };
    for (const forbidden of [delegation, unknown]) {
      const tried = chain.simulate(batch(call('a', 'commit'), forbidden), 'forwarder');
      await expect(tried).rejects.toThrow('the forwarder refused: selector forbidden');
    }
  });
});

describe('a simulation', () => {
  test('of a batch tells the failure of each call, changes nothing, and costs more with every call', async () => {
    const tried = batch(call('a', 'commit'), call('a', 'reveal'), call('a', 'commit'));
    const { gas, failures, feeData } = await chain.simulate(tried, 'forwarder');
    expect([...failures]).toEqual([
      [1, 'the registry refused: reveal too early'],
      [2, 'the registry refused: commit repeated'],
    ]);
    expect(gas).toBe(321_000n);
    expect(feeData).toMatchObject({ blockNumber: chain.newest.number, baseFee: 10n * gwei, tip: gwei });
    expect((await chain.simulate(batch(call('a', 'commit')), 'forwarder')).failures.size).toBe(0);
  });

  test('of a call by the key itself gives its gas, or why it would revert and none', async () => {
    const key = world.signer.address;
    expect(routeOf(key, key)).toBe('key');
    const { gas, failures } = await chain.simulate(call('a', 'commit', key), 'key');
    expect([gas, failures.size]).toEqual([121_000n, 0]);
    const refused = await chain.simulate(call('a', 'reveal', key), 'key');
    expect(refused).not.toHaveProperty('gas');
    expect(refused.failures.get(0)).toBe('the registry refused: sender unauthorized');
  });
});

describe('a block', () => {
  test('takes what a transaction costs from its sender, whether it succeeds or not', async () => {
    chain.setBalance(world.signer.address, 10n ** 18n);
    const hash = await send(0, batch(call('a', 'reveal'), call('a', 'commit')));
    chain.mine();
    const fee = 221_000n * 11n * gwei;
    expect(await receiptOf(hash)).toMatchObject({ fee });
    expect((await chain.feeData(world.signer.address)).balance).toBe(10n ** 18n - fee);
  });

  test('leaves what its sender cannot pay for until he can', async () => {
    await send(0, batch(call('a', 'commit')));
    chain.setBalance(world.signer.address, 1n);
    chain.mine();
    expect(chain.receipts()).toHaveLength(0);
    await expect(send(1, batch(call('b', 'commit')))).rejects.toThrow(
      'insufficient funds for gas * price + value',
    );
    chain.setBalance(world.signer.address, 10n ** 18n);
    chain.mine();
    expect(chain.receipts()).toHaveLength(1);
  });

  test('runs a plain transfer that does nothing, even where every call reverts', async () => {
    chain.revertsAll = true;
    const transfer = await send(0, { to: world.signer.address, data: '0x' }, { gasLimit: 21_000n });
    const reverted = await send(1, batch(call('a', 'commit')));
    chain.mine();
    expect(await receiptOf(transfer)).toMatchObject({ succeeded: true, failedPositions: [] });
    expect(await receiptOf(reverted)).toMatchObject({ succeeded: false });
  });

  test('reverts what has too little gas, a poisonous call in it, or too many calls', async () => {
    const poison = call('poison', 'commit');
    chain.poison.add(poison.data);
    chain.revertsBatchesAbove = 2;
    const [a, b, c] = ['a', 'b', 'c'].map((text) => call(text, 'commit'));
    if (!a || !b || !c) throw new Error('three calls');
    const hashes = [
      await send(0, batch(a), { gasLimit: 120_999n }),
      await send(1, batch(a, poison)),
      await send(2, batch(a, b, c)),
      await send(3, batch(a, b)),
    ];
    chain.mine();
    const outcomes = await Promise.all(hashes.map(async (hash) => (await receiptOf(hash))?.succeeded));
    expect(outcomes).toEqual([false, false, false, true]);
  });

  test('takes a stranger’s transaction with the key before any other with its nonce', async () => {
    await send(0, batch(call('a', 'commit')));
    const spent = chain.spendNonce(world.signer.address);
    expect(await countOf()).toBe(1);
    expect(chain.receipts().map(({ hash, foreign }) => [hash, foreign])).toEqual([[spent, true]]);
    expect(await chain.transactionByNonce(world.signer.address, 0)).toBeUndefined();
    chain.mine();
    chain.mine();
    expect(await chain.transactionByNonce(world.signer.address, 0)).toBe(spent);
    await expect(send(0, batch(call('a', 'commit')))).rejects.toThrow('nonce too low');
  });
});

describe('a reorganisation', () => {
  /** Mines a commit in one block, an empty block, and a reveal with acts of others in between. */
  async function history() {
    chain.setBalance(world.signer.address, 10n ** 18n);
    const commit = await send(0, batch(call('a', 'commit')));
    chain.mine();
    chain.mine(10);
    chain.delegate(alice.authorityAddress, forwarderAddress);
    const reveal = await send(1, batch(call('a', 'reveal')));
    chain.mine();
    return { commit, reveal };
  }

  test('replaces blocks by others of the same times, and undoes nonces, balances and the registry', async () => {
    const { commit } = await history();
    const { number, timestamp, hash } = chain.newest;
    chain.reorganise(4);
    expect(chain.newest).toMatchObject({ number, timestamp });
    expect(chain.newest.hash).not.toBe(hash);
    expect(await countOf()).toBe(0);
    expect((await chain.feeData(world.signer.address)).balance).toBe(10n ** 18n);
    expect(chain.state.count).toBe(0);
    expect(await receiptOf(commit)).toBeUndefined();
    expect(chain.mempool.nonces()).toEqual([0, 1]);
    chain.mine();
    expect(await receiptOf(commit)).toMatchObject({ succeeded: true, blockNumber: number + 1 });
  });

  test('mines the same transactions at the same heights, if it is to', async () => {
    const before = await history().then(() => chain.receipts());
    chain.reorganise(4, { remine: true, delaySeconds: 5 });
    const after = chain.receipts();
    expect(after.map(({ hash, blockNumber, succeeded }) => [hash, blockNumber, succeeded])).toEqual(
      before.map(({ hash, blockNumber, succeeded }) => [hash, blockNumber, succeeded]),
    );
    expect(
      after.map((one, position) => one.blockTimestamp - (before[position]?.blockTimestamp ?? 0)),
    ).toEqual([5, 5]);
    expect(chain.state.count).toBe(1);
  });

  test('forgets the transactions, if it is to', async () => {
    await history();
    chain.reorganise(2, { drop: true });
    expect(chain.mempool.nonces()).toEqual([]);
    expect(await countOf()).toBe(1);
  });

  test('keeps what others did, or undoes it too', async () => {
    chain.removeOperator(forwarderAddress, world.signer.address);
    chain.revokeDelegation(alice.authorityAddress);
    const registryState = () => chain.state.registryState('0x', alice.authorityAddress).delegateAddress;
    chain.reorganise(2);
    expect(await chain.isOperator(forwarderAddress, world.signer.address)).toBe(false);
    expect(registryState()).not.toBe(forwarderAddress);
    chain.reorganise(2, { dropActs: true });
    expect(await chain.isOperator(forwarderAddress, world.signer.address)).toBe(true);
    expect(registryState()).toBe(forwarderAddress);
  });

  test('shows in the hashes of the blocks asked for', async () => {
    const { number } = chain.newest;
    const signerAddress = world.signer.address;
    const look = () => chain.snapshot({ signerAddress, hashes: [], blockNumbers: [number - 1, number, 99] });
    const { blockHashes: before } = await look();
    chain.reorganise(1);
    const { blockHashes: after } = await look();
    expect([...after.keys()]).toEqual([number - 1, number]);
    expect(after.get(number - 1)).toBe(before.get(number - 1));
    expect(after.get(number)).not.toBe(before.get(number));
  });
});

describe('a node', () => {
  test('that lags shows everything as it was', async () => {
    const hash = await send(0, batch(call('a', 'commit')));
    chain.mine();
    const { number } = chain.newest;
    chain.lagBlocks = 1;
    expect(await chain.head()).toMatchObject({ number: number - 1 });
    expect(await countOf()).toBe(0);
    expect(await receiptOf(hash)).toBeUndefined();
    expect((await chain.feeData(world.signer.address)).blockNumber).toBe(number - 1);
    expect(await chain.atFinal(async ({ block }) => block.number)).toBe(number - 3);
    expect((await chain.simulate(batch(call('a', 'commit')), 'forwarder')).failures.size).toBe(0);
  });

  test('without EIP-1559 names a gas price and takes legacy transactions alone', async () => {
    chain.legacy = true;
    const feeData = await chain.feeData(world.signer.address);
    expect(feeData).toMatchObject({ legacy: true, baseFee: 0n, tip: 11n * gwei });
    await expect(send(0, batch(call('a', 'commit')))).rejects.toThrow('transaction type not supported');
    const price = { maxFeePerGas: feeData.tip, maxPriorityFeePerGas: feeData.tip };
    const hash = await send(0, batch(call('a', 'commit')), { ...price, legacy: true });
    chain.mine();
    expect(await receiptOf(hash)).toMatchObject({ succeeded: true, fee: 121_000n * feeData.tip });
  });

  test('refuses what is too large, of another chain or a replacement that pays too little', async () => {
    const transaction = batch(call('a', 'commit'));
    await expect(send(0, transaction, { gasLimit: 16_777_217n })).rejects.toThrow('gas limit too high');
    const large: Call = { ...transaction, data: `0x${'ab'.repeat(131_072)}` };
    await expect(send(0, large)).rejects.toThrow('oversized data');
    await send(0, transaction);
    const fees = { maxFeePerGas: 21n * gwei };
    await expect(send(0, transaction, fees)).rejects.toThrow('replacement transaction underpriced');
  });

  test('knows every key by what it signs', async () => {
    const other = new FakeSigner(`0x${'c3'.repeat(32)}`);
    chain.addOperator(forwarderAddress, other.address);
    await send(0, batch(call('a', 'commit')), { signer: other });
    chain.mine();
    expect(chain.receipts().map(({ sender }) => sender)).toEqual([other.address]);
    expect(await countOf()).toBe(0);
  });
});
