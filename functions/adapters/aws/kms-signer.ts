import { GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import type { UnsignedTx } from '../../domain/chain.ts';
import { SignerMismatchError } from '../../domain/errors.ts';
import { signedBytes, unsignedBytes } from '../../domain/raw-transaction.ts';
import type { Signer } from '../../domain/services.ts';
import { once } from './once.ts';

export function kmsSigners(connect: () => KMSClient): (keyId: string) => Promise<Signer> {
  const signers = new Map<string, () => Promise<Signer>>();
  return (keyId) => {
    const signer = signers.get(keyId) ?? once(() => kmsSigner(connect(), keyId));
    signers.set(keyId, signer);
    return signer();
  };
}

/** Creates the signer of a KMS key. The key's address is read once and must not change. */
export async function kmsSigner(kms: KMSClient, keyId: string): Promise<Signer> {
  const { PublicKey: der } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  const address = addressOfPublicKey(der ?? new Uint8Array());
  return { address, sign: (transaction) => signTransaction(kms, keyId, address, transaction) };
}

async function signTransaction(kms: KMSClient, keyId: string, address: Address, unsigned: UnsignedTx) {
  const signature = await signDigest(kms, keyId, address, keccak256(unsignedBytes(unsigned)));
  return { signature, hash: keccak256(signedBytes(unsigned, signature)) };
}

/** Signs a digest with the KMS key of this address and returns r ‖ s ‖ v. */
export async function signDigest(kms: KMSClient, keyId: string, address: Address, digest: Hex): Promise<Hex> {
  const { Signature: der } = await kms.send(
    new SignCommand({
      KeyId: keyId,
      Message: hexToBytes(digest),
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
  );
  return ethereumSignature(der ?? new Uint8Array(), digest, address);
}

/** Converts KMS's DER into r ‖ s ‖ v. EIP-2 requires a low s. v is chosen so that the address is recovered. */
export function ethereumSignature(der: Uint8Array, digest: Hex, address: Address): Hex {
  const lowS = secp256k1.Signature.fromDER(der).normalizeS();
  for (const recovery of [0, 1]) {
    const signature = lowS.addRecoveryBit(recovery);
    const point = signature.recoverPublicKey(digest.slice(2));
    if (publicKeyToAddress(bytesToHex(point.toRawBytes(false))) === address) {
      return `0x${signature.toCompactHex()}${recovery === 0 ? '1b' : '1c'}`;
    }
  }
  throw new SignerMismatchError('the signature does not recover to the address of the key');
}

/** SubjectPublicKeyInfo of secp256k1 (RFC 5480, SEC 2): this header, then the uncompressed point. */
const spkiHeader = '3056301006072a8648ce3d020106052b8104000a034200';

/** Derives the address of a secp256k1 key as KMS returns it (DER, SubjectPublicKeyInfo). @throws for any other bytes */
export function addressOfPublicKey(der: Uint8Array): Address {
  const hex = bytesToHex(der).slice(2);
  if (!hex.startsWith(spkiHeader) || der.length !== 88) throw new Error('not a secp256k1 public key in DER');
  const point = secp256k1.ProjectivePoint.fromHex(hex.slice(spkiHeader.length));
  return publicKeyToAddress(bytesToHex(point.toRawBytes(false)));
}
