import { sha256 } from '@noble/hashes/sha2';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import * as Digest from 'multiformats/hashes/digest';
import { bytesToHex, type Hex, hexToBytes } from 'viem';
import { ExpectedError } from '../errors.ts';
import type { Content } from './content.ts';

/** The multicodec of sha2-256: https://github.com/multiformats/multicodec */
const sha2_256 = 0x12;

/** The sha2-256 digest of the content's bytes: the registry's `ipfsHash`. */
export function contentDigest({ bytes }: Content): Hex {
  return bytesToHex(sha256(bytes));
}

/** The CID of the content with this digest: CIDv1, codec raw, sha2-256, base32. */
export function contentCid(digest: Hex): string {
  return CID.createV1(raw.code, Digest.create(sha2_256, hexToBytes(digest))).toString();
}

/** Refusal of a CID that this service does not give. It gives CIDv1, codec raw, sha2-256, base32. */
export class CidUnsupportedError extends ExpectedError {
  constructor(options?: ErrorOptions) {
    super('must be a CIDv1 of codec raw and sha2-256, in base32', options);
  }
}

function parseCid(cid: string): CID {
  try {
    return CID.parse(cid);
  } catch (cause) {
    throw new CidUnsupportedError({ cause });
  }
}

/** The digest inside such a CID; the inverse of `contentCid`. @throws CidUnsupportedError */
export function digestOfCid(cid: string): Hex {
  const digest = bytesToHex(parseCid(cid).multihash.digest);
  // One comparison covers version, codec, hash function, length and base.
  if (digest.length !== 66 || contentCid(digest) !== cid) throw new CidUnsupportedError();
  return digest;
}
