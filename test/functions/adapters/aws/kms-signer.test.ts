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
import { derOf } from '../../../fakes/ports/der.ts';
import { KmsInMemory, spki } from './kms-in-memory.ts';

const { n: order } = secp256k1.CURVE;
const privateKey: Hex = `0x${'5e'.repeat(32)}`;
const address = privateKeyToAddress(privateKey);
const digestOf = (count: number): Hex => keccak256(numberToHex(count));

function signatureOf(count: number) {
  const key = hexToBytes(privateKey);
  return secp256k1.sign(digestOf(count).slice(2), key, { lowS: false });
}

const publicKey = secp256k1.getPublicKey(privateKey.slice(2), false);

describe('a signature as KMS gives it', () => {
  test('of another key or another digest is refused', () => {
    const other = privateKeyToAddress(`0x${'5f'.repeat(32)}`);
    const der = derOf(signatureOf(1));
    expect(() => ethereumSignature(der, digestOf(1), other)).toThrow(SignerMismatchError);
    expect(() => ethereumSignature(der, digestOf(2), address)).toThrow(SignerMismatchError);
  });
});

test.each([
  ['too short', derOf(signatureOf(1)).slice(0, -1)],
  ['too long', Uint8Array.from([...derOf(signatureOf(1)), 0])],
])('DER that is %s is refused', (_, der) => {
  expect(() => ethereumSignature(der, digestOf(1), address)).toThrow();
});

describe('the KMS key', () => {
  const fields = { chainId: 1, nonce: 7, to: address, data: '0xabcd' as const };
  const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n };
  const price = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n, legacy: true } as const;
  const gas = 90_000n;

  test.each([
    ['of EIP-1559', fees, { ...fees, type: 'eip1559' }],
    ['of a legacy chain', price, { gasPrice: 2_000_000_000n, type: 'legacy' }],
  ] as const)(
    'signs a transaction %s that the chain attributes to it, under the hash it says',
    async (...given) => {
      const [, terms, serializable] = given;
      const kms = new KmsInMemory(privateKey);
      const signer = await kmsSigner(kms.client, 'key-1');
      const { signature, hash } = await signer.sign({ ...fields, ...terms, gasLimit: gas });
      const raw = serializeTransaction({ ...fields, ...serializable, gas }, parseSignature(signature));
      expect(signer.address).toBe(address);
      expect(keccak256(raw)).toBe(hash);
      const serializedTransaction = raw as TransactionSerialized;
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address);
      expect(kms.signed[0]).toMatchObject({ KeyId: 'key-1', MessageType: 'DIGEST' });
    },
  );

  test('that signs with another key than it showed is refused', async () => {
    const kms = new KmsInMemory(privateKey, `0x${'5f'.repeat(32)}`);
    const signer = await kmsSigner(kms.client, 'key-1');
    await expect(signer.sign({ ...fields, ...fees, gasLimit: gas })).rejects.toThrow(SignerMismatchError);
  });

  test('is asked for its address once, however often it is wanted, and each key for its own', async () => {
    const kms = new KmsInMemory(privateKey);
    const signerOf = kmsSigners(() => kms.client);
    const [first, again] = await Promise.all([signerOf('key-1'), signerOf('key-1')]);
    await signerOf('key-2');
    expect(await signerOf('key-1')).toBe(first);
    expect(again).toBe(first);
    expect(kms.keyIds).toEqual(['key-1', 'key-2']);
  });

  test('is asked again when it could not be', async () => {
    const working = new KmsInMemory(privateKey).client;
    const throttled = { send: () => Promise.reject(new Error('throttled')) } as unknown as typeof working;
    let client = throttled;
    const signerOf = kmsSigners(() => client);
    await expect(signerOf('key-1')).rejects.toThrow('throttled');
    client = working;
    expect((await signerOf('key-1')).address).toBe(address);
  });
});

describe('a public key', () => {
  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['one of another curve', spki(publicKey).with(20, 0x22)],
    ['a compressed point', spki(secp256k1.getPublicKey(privateKey.slice(2), true))],
    ['a point off the curve', spki(publicKey.with(64, (publicKey[64] ?? 0) ^ 1))],
    ['bytes after the end', Uint8Array.from([...spki(publicKey), 0])],
  ])('is refused when it is %s', (_, der) => {
    expect(() => addressOfPublicKey(der)).toThrow();
  });
});

test('a signature becomes one with a low s that recovers to the address, whatever its s, parts and parity', () => {
  const seen = { highS: 0, shortR: 0, shortS: 0, odd: 0, even: 0 };
  for (let one = 0; one < 1_000; one++) {
    const signed = signatureOf(one);
    const signature = ethereumSignature(derOf(signed), digestOf(one), address);
    const { s, yParity } = parseSignature(signature);
    const isHigh = signed.s > order / 2n;
    // What the signer knew of its point, turned round when s was: no second recovery is needed to check it.
    const expectedParity = isHigh ? 1 - signed.recovery : signed.recovery;
    expect([BigInt(s), yParity]).toEqual([isHigh ? order - signed.s : signed.s, expectedParity]);
    seen.highS += Number(isHigh);
    seen.shortR += Number(signed.r < 1n << 248n);
    seen.shortS += Number(signed.s < 1n << 248n);
    seen[yParity ? 'odd' : 'even']++;
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
