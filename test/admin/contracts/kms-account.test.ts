import { type Hex, recoverTransactionAddress, type TransactionSerializedEIP1559 } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { kmsAccount } from '../../../admin/contracts/kms-account.ts';
import { KmsInMemory } from '../../functions/adapters/aws/kms-in-memory.ts';

const privateKey: Hex = `0x${'5e'.repeat(32)}`;
const { client: kms } = new KmsInMemory(privateKey);

test('`kmsAccount` signs transactions that recover to the address of the key in KMS', async () => {
  const account = await kmsAccount(kms, 'key');
  expect(account.address).toBe(privateKeyToAddress(privateKey));
  for (const nonce of [1, 2, 3, 4]) {
    const transaction = { type: 'eip1559', chainId: 1, nonce, gas: 21_000n, maxFeePerGas: 1n } as const;
    const signed = await account.signTransaction(transaction);
    const serializedTransaction = signed as TransactionSerializedEIP1559;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(account.address);
  }
});

test('`kmsAccount` refuses to sign anything else', async () => {
  const account = await kmsAccount(kms, 'key');
  await expect(account.signMessage({ message: 'hello' })).rejects.toThrow('only transactions');
});
