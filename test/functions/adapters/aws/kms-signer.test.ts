import { secp256k1 } from '@noble/curves/secp256k1';
import {
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  parseSignature,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized,
} from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import {
  addressOfPublicKey,
  ethereumSignature,
  kmsSigner,
  kmsSigners,
} from '../../../../functions/adapters/aws/kms-signer.ts';
import { SignerMismatchError } from '../../../../functions/domain/errors.ts';
import { encodeDerSignature } from '../../../fakes/ports/der.ts';
import { KmsInMemory, spki } from './kms-in-memory.ts';

const privateKey: Hex = `0x${'5e'.repeat(32)}`;
const address = privateKeyToAddress(privateKey);
const digestOf = (count: number): Hex => keccak256(numberToHex(count));

function signatureOf(count: number) {
  const key = hexToBytes(privateKey);
  return secp256k1.sign(digestOf(count).slice(2), key, { lowS: false });
}

const publicKey = secp256k1.getPublicKey(privateKey.slice(2), false);

test('a KMS signature is rejected for another key or another digest', () => {
  const other = privateKeyToAddress(`0x${'5f'.repeat(32)}`);
  const der = encodeDerSignature(signatureOf(1));
  expect(() => ethereumSignature(der, digestOf(1), other)).toThrow(SignerMismatchError);
  expect(() => ethereumSignature(der, digestOf(2), address)).toThrow(SignerMismatchError);
});

test.each([
  ['too short', encodeDerSignature(signatureOf(1)).slice(0, -1)],
  ['too long', Uint8Array.from([...encodeDerSignature(signatureOf(1)), 0])],
])('a KMS signature is rejected when its DER is %s', (_, der) => {
  expect(() => ethereumSignature(der, digestOf(1), address)).toThrow();
});

describe('the KMS key', () => {
  const transaction = { chainId: 1, nonce: 7, to: address, data: '0xabcd' as const };
  const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n };
  const price = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n, legacy: true } as const;
  const gas = 90_000n;

  test.each([
    ['of EIP-1559', fees, { ...fees, type: 'eip1559' }],
    ['of a legacy chain', price, { gasPrice: 2_000_000_000n, type: 'legacy' }],
  ] as const)(
    'signs a transaction %s, from which its own address is recovered, and returns its hash',
    async (_, fields, serializable) => {
      const kms = new KmsInMemory(privateKey);
      const signer = await kmsSigner(kms.client, 'key-1');
      const { signature, hash } = await signer.sign({ ...transaction, ...fields, gasLimit: gas });
      const raw = serializeTransaction({ ...transaction, ...serializable, gas }, parseSignature(signature));
      expect(signer.address).toBe(address);
      expect(keccak256(raw)).toBe(hash);
      const serializedTransaction = raw as TransactionSerialized;
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address);
      expect(kms.signed[0]).toMatchObject({ KeyId: 'key-1', MessageType: 'DIGEST' });
    },
  );

  test('is rejected when its signature belongs to another public key', async () => {
    const kms = new KmsInMemory(privateKey, `0x${'5f'.repeat(32)}`);
    const signer = await kmsSigner(kms.client, 'key-1');
    await expect(signer.sign({ ...transaction, ...fees, gasLimit: gas })).rejects.toThrow(
      SignerMismatchError,
    );
  });

  test('is read once for its address, however often it is needed', async () => {
    const kms = new KmsInMemory(privateKey);
    const signerOf = kmsSigners(() => kms.client);
    const [first, again] = await Promise.all([signerOf('key-1'), signerOf('key-1')]);
    await signerOf('key-2');
    expect(await signerOf('key-1')).toBe(first);
    expect(again).toBe(first);
    expect(kms.keyIds).toEqual(['key-1', 'key-2']);
  });

  test('is read again after a failure', async () => {
    const working = new KmsInMemory(privateKey).client;
    const throttled = { send: () => Promise.reject(new Error('throttled')) } as unknown as typeof working;
    let client = throttled;
    const signerOf = kmsSigners(() => client);
    await expect(signerOf('key-1')).rejects.toThrow('throttled');
    client = working;
    expect((await signerOf('key-1')).address).toBe(address);
  });
});

test.each<[string, Uint8Array]>([
  ['empty', new Uint8Array()],
  ['one of another curve', spki(publicKey).with(20, 0x22)],
  ['a compressed point', spki(secp256k1.getPublicKey(privateKey.slice(2), true))],
  ['a point off the curve', spki(publicKey.with(64, (publicKey[64] ?? 0) ^ 1))],
  ['followed by another byte', Uint8Array.from([...spki(publicKey), 0])],
])('a public key that is %s has no address', (_, der) => {
  expect(() => addressOfPublicKey(der)).toThrow();
});
