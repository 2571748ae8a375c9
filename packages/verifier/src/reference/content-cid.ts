import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { create } from 'multiformats/hashes/digest';
import { bytesToHex, hexToBytes } from 'viem';
import type { Hex } from '../hex.ts';

const sha2_256 = 0x12;
/** No valid CID of a content is longer. Decoding takes quadratic time: 12 s for 100,000 characters. */
const maxCharacters = 101;

/** Extracts the digest from a CIDv1 of codec raw and sha2-256. @throws Error for another CID */
export function digestOfCid(contentCid: string): Hex {
  // The base58 decoder reads characters above U+00FF as zeros.
  if (contentCid.length > maxCharacters || /[^!-~]/.test(contentCid)) throw new Error('the CID is malformed');
  const { version, code, multihash } = CID.parse(contentCid);
  if (version !== 1 || code !== raw.code || multihash.code !== sha2_256 || multihash.size !== 32)
    throw new Error('the CID is not a CIDv1 of codec raw and sha2-256');
  return bytesToHex(multihash.digest);
}

/** Returns the CIDv1 in base32 of the content with this digest. */
export function cidOfDigest(digest: Hex): string {
  return CID.createV1(raw.code, create(sha2_256, hexToBytes(digest))).toString();
}
