import { GetPublicKeyCommand, type KMSClient, type SignCommand } from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1';
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  recoverTransactionAddress,
  type TransactionSerializedEIP1559,
} from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { derOf } from '../../../test/fakes/ports/der.ts';
import { kmsAccount } from '../../deploy/kms-account.ts';

const privateKey: Hex = `0x${'5e'.repeat(32)}`;
const spkiHeader = '3056301006072a8648ce3d020106052b8104000a034200';

/** A KMS that holds one key and answers in DER, with a high s as often as not. */
const kms = {
  send(command: unknown) {
    const key = hexToBytes(privateKey);
    if (command instanceof GetPublicKeyCommand) {
      const point = bytesToHex(secp256k1.getPublicKey(key, false)).slice(2);
      return Promise.resolve({ PublicKey: hexToBytes(`0x${spkiHeader}${point}`) });
    }
    const { Message } = (command as SignCommand).input;
    return Promise.resolve({ Signature: derOf(secp256k1.sign(Message ?? '', key, { lowS: false })) });
  },
} as unknown as KMSClient;

test('signs a transaction that recovers to the address of the key in KMS', async () => {
  const account = await kmsAccount(kms, 'key');
  expect(account.address).toBe(privateKeyToAddress(privateKey));
  for (const nonce of [1, 2, 3, 4]) {
    const transaction = { type: 'eip1559', chainId: 1, nonce, gas: 21_000n, maxFeePerGas: 1n } as const;
    const signed = await account.signTransaction(transaction);
    const serializedTransaction = signed as TransactionSerializedEIP1559;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(account.address);
  }
});

test('signs nothing else', async () => {
  const account = await kmsAccount(kms, 'key');
  await expect(account.signMessage({ message: 'hello' })).rejects.toThrow('transactions only');
});
