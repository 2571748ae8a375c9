import { sha256 } from '@noble/hashes/sha2';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import * as Digest from 'multiformats/hashes/digest';
import { bytesToHex, type Hex, hexToBytes } from 'viem';
import type { Content } from './content.ts';

/** The multicodec of sha2-256: https://github.com/multiformats/multicodec */
const sha2_256 = 0x12;

/** Computes the sha2-256 digest of the content: the registry's `ipfsHash`. */
export function contentDigest({ bytes }: Content): Hex {
  return bytesToHex(sha256(bytes));
}

/** Returns the CID of a digest: CIDv1, codec raw, sha2-256, base32. */
export function contentCid(digest: Hex): string {
  return CID.createV1(raw.code, Digest.create(sha2_256, hexToBytes(digest))).toString();
}
