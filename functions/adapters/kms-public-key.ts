import { secp256k1 } from '@noble/curves/secp256k1';
import { type Address, bytesToHex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

/** SubjectPublicKeyInfo of secp256k1 (RFC 5480, SEC 2): this header, then the uncompressed point. */
const spkiHeader = '3056301006072a8648ce3d020106052b8104000a034200';

/**
 * The Ethereum address of a public key as KMS gives it (DER, SubjectPublicKeyInfo).
 *
 * @throws Error for any other curve, encoding or a point off the curve.
 */
export function addressOfPublicKey(der: Uint8Array): Address {
  const hex = bytesToHex(der).slice(2);
  if (!hex.startsWith(spkiHeader) || der.length !== 88) throw new Error('not a secp256k1 public key in DER');
  const point = secp256k1.ProjectivePoint.fromHex(hex.slice(spkiHeader.length));
  return publicKeyToAddress(bytesToHex(point.toRawBytes(false)));
}
