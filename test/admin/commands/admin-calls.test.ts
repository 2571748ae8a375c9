import {
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializedEIP1559,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { adminCall, sendAdminCalls } from '../../../admin/commands/signer/admin-calls.ts';
import type { ChainView } from '../../../admin/deployment/connect-chain.ts';
import { signCall } from '../../../admin/deployment/send-call.ts';
import type { Chain, Simulation } from '../../../functions/domain/chain.ts';
import { chainSettingsSchema } from '../../../functions/domain/settings.ts';
import { override } from '../../fakes/ports/port-overrides.ts';
import { makeWorld } from '../../fakes/world/world.ts';
import { FakeDeployment } from './fake-deployment.ts';

const admin = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const operator = privateKeyToAccount(`0x${'22'.repeat(32)}`).address;
const forwarders = [
  '0x1111111111111111111111111111111111111111',
  '0x2222222222222222222222222222222222222222',
] as const;
const calls = forwarders.map((forwarder) => adminCall('addOperator', forwarder, operator));

const gwei = 1_000_000_000n;
const feeData = { blockNumber: 1, baseFee: gwei, tip: gwei, balance: 10n ** 18n };

/** The chain as operators read it. The admin has seven mined transactions, and `pending` others. */
async function view(pending = 0): Promise<ChainView> {
  return {
    ...(await new FakeDeployment().chain()),
    transactionCounts: async () => ({ mined: 7, known: 7 + pending }),
  };
}

const succeeds: Simulation = { feeData, gas: 50_000n, failures: new Map(), states: [] };

/** A chain whose simulations return these results, one after the other. */
function chainWhere(...simulations: readonly Simulation[]) {
  const results = [...simulations];
  const sent: Hex[] = [];
  const chain = override<Chain>(makeWorld().chain, {
    simulate: async () => results.shift() ?? succeeds,
    send: async (raw) => void sent.push(raw),
  });
  return { chain, sent };
}

test('`sendAdminCalls` sends the calls in sequence with a gas margin', async () => {
  const { chain, sent } = chainWhere();
  const { sent: hashes, refusal } = await sendAdminCalls(chain, view, admin, calls);
  expect(hashes).toEqual(sent.map((raw) => keccak256(raw)));
  expect(refusal).toBeNull();
  for (const [position, raw] of sent.entries()) {
    expect(parseTransaction(raw)).toMatchObject({
      ...{ to: forwarders[position], data: calls[position]?.data, nonce: 7 + position },
      ...{ chainId: 31_337, gas: 65_000n, maxPriorityFeePerGas: gwei },
    });
    const serializedTransaction = raw as TransactionSerializedEIP1559;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(admin.address);
  }
});

test('`sendAdminCalls` stops at a call that would revert, and reports the reason and the sent calls', async () => {
  const reverts: Simulation = { feeData, failures: new Map([[0, 'SenderNotAdmin']]), states: [] };
  const { chain, sent } = chainWhere(succeeds, reverts);
  const { sent: hashes, refusal } = await sendAdminCalls(chain, view, admin, calls);
  expect(refusal?.message).toBe(`the admin's transaction to ${forwarders[1]} was not sent: SenderNotAdmin`);
  expect(hashes).toEqual(sent.map((raw) => keccak256(raw)));
  expect(sent).toHaveLength(1);
});

test('`sendAdminCalls` replaces no pending transaction of the admin', async () => {
  const { chain, sent } = chainWhere();
  const { refusal } = await sendAdminCalls(chain, () => view(2), admin, calls);
  expect(refusal?.message).toContain(`${admin.address} has 2 pending transactions (nonces 7 to 8)`);
  expect(sent).toEqual([]);
});

const address = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const settings = chainSettingsSchema.parse({
  ...{ chainId: 31_337, name: 'Local', registryAddress: address, maxFeePerGasGwei: 2_000_000 },
});
function signing(gas: bigint, baseFee = feeData.baseFee) {
  const simulated = { gas, failures: new Map(), states: [], feeData: { ...feeData, baseFee } };
  const sender = privateKeyToAccount(generatePrivateKey());
  const call = { to: address, data: '0x', name: 'the transaction' } as const;
  return signCall({ settings, simulate: async () => simulated }, sender, call, 0);
}

test('`signCall` signs no call with excessive gas', async () => {
  await expect(signing(300_000n)).resolves.toMatchObject({ hash: expect.stringMatching(/^0x/) });
  await expect(signing(900_000n)).rejects.toThrow('it would use 900000 gas');
});

test('`signCall` signs no call with a fee that nodes would reject', async () => {
  await expect(signing(700_000n, 10n ** 12n)).resolves.toBeDefined();
  await expect(signing(700_000n, 15n * 10n ** 11n)).rejects.toThrow("above the chain's cap");
});
