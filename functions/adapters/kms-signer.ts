import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { SignerMismatchError } from '../domain/errors.ts';
import type { Signer, Unsigned } from '../domain/ports.ts';
import { signedBytes, unsignedBytes } from '../domain/raw-transaction.ts';
import { addressOfPublicKey } from './kms-public-key.ts';
import { once } from './once.ts';

/** The signers of KMS keys by the keys' ids, each made on first use and kept. */
export function kmsSigners(connect: () => KMSClient): (keyId: string) => Promise<Signer> {
  const signers = new Map<string, () => Promise<Signer>>();
  return (keyId) => {
    const signer = signers.get(keyId) ?? once(() => kmsSigner(connect(), keyId));
    signers.set(keyId, signer);
    return signer();
  };
}

/** Signs with a KMS key; the address is asked for once and pinned. */
export async function kmsSigner(kms: KMSClient, keyId: string): Promise<Signer> {
  const { PublicKey: der } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  const address = addressOfPublicKey(der ?? new Uint8Array());
  return { address, sign: (transaction) => signTransaction(kms, keyId, address, transaction) };
}

async function signTransaction(kms: KMSClient, keyId: string, address: Address, unsigned: Unsigned) {
  const digest = keccak256(unsignedBytes(unsigned));
  const { Signature: der } = await kms.send(
    new SignCommand({
      KeyId: keyId,
      Message: hexToBytes(digest),
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
  );
  const signature = ethereumSignature(der ?? new Uint8Array(), digest, address);
  return { signature, hash: keccak256(signedBytes(unsigned, signature)) };
}

/**
 * Turns KMS's DER into r ‖ s ‖ v. KMS may return a high s, which Ethereum refuses (EIP-2), and never says which of
 * the two points it used: the one that recovers to the pinned address.
 *
 * @throws SignerMismatchError when neither does.
 */
export function ethereumSignature(der: Uint8Array, digest: Hex, address: Address): Hex {
  const lowS = secp256k1.Signature.fromDER(der).normalizeS();
  for (const recovery of [0, 1]) {
    const signature = lowS.addRecoveryBit(recovery);
    const point = signature.recoverPublicKey(digest.slice(2));
    if (publicKeyToAddress(bytesToHex(point.toRawBytes(false))) === address) {
      return `0x${signature.toCompactHex()}${recovery === 0 ? '1b' : '1c'}`;
    }
  }
  throw new SignerMismatchError('the signature does not recover to the pinned address');
}
