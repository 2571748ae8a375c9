import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { create } from 'multiformats/hashes/digest';
import { bytesToHex, hexToBytes } from 'viem';
import type { Hex } from '../hex.ts';

const sha2_256 = 0x12;
/** Longer than any form of such a CID. What base58 and base36 take grows with the square: 100,000 characters take 12 s. */
const maxCharacters = 101;

/** Extracts the digest from a CIDv1 of codec raw and sha2-256. @throws Error for what is none */
export function digestOfCid(contentCid: string): Hex {
  // The decoder of base58 takes characters above U+00FF for zeros.
  if (contentCid.length > maxCharacters || /[^!-~]/.test(contentCid)) throw new Error('the CID is malformed');
  const { version, code, multihash } = CID.parse(contentCid);
  if (version !== 1 || code !== raw.code || multihash.code !== sha2_256 || multihash.size !== 32)
    throw new Error('the CID is not a CIDv1 of codec raw and sha2-256');
  return bytesToHex(multihash.digest);
}

/** CIDv1 in base32 of the content with this digest. */
export function cidOfDigest(digest: Hex): string {
  return CID.createV1(raw.code, create(sha2_256, hexToBytes(digest))).toString();
}
