import { sha256 } from '@noble/hashes/sha2';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import * as Digest from 'multiformats/hashes/digest';
import { bytesToHex, type Hex, hexToBytes } from 'viem';
import { ExpectedError } from '../errors.ts';

export const maxContentBytes = 1_048_576;

/** The multicodec of sha2-256: https://github.com/multiformats/multicodec */
const sha2_256 = 0x12;

declare const parsed: unique symbol;

/** A text that can be attested: well-formed Unicode of 1 to 1,048,576 UTF-8 bytes, exactly as it was sent. */
export interface Content {
  readonly text: string;
  /** The text in UTF-8. */
  readonly bytes: Uint8Array;
  readonly [parsed]: true;
}

/** The text cannot be attested; the message says why, for the publisher to read. */
export abstract class ContentInvalidError extends ExpectedError {}

export class ContentEmptyError extends ContentInvalidError {
  constructor() {
    super('must not be empty');
  }
}

export class ContentTooLargeError extends ContentInvalidError {
  constructor() {
    super('must be at most 1,048,576 bytes in UTF-8');
  }
}

export class ContentIllFormedError extends ContentInvalidError {
  constructor() {
    super('must be well-formed Unicode: it has a lone surrogate, which has no UTF-8 form');
  }
}

/**
 * Neither trims nor normalises: any change would be another content with another CID.
 * @throws ContentEmptyError, ContentTooLargeError, ContentIllFormedError
 */
export function parseContent(text: string): Content {
  if (text === '') throw new ContentEmptyError();
  // No text has fewer UTF-8 bytes than UTF-16 units, so one this long need not be encoded to be refused.
  if (text.length > maxContentBytes) throw new ContentTooLargeError();
  if (!text.isWellFormed()) throw new ContentIllFormedError();
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxContentBytes) throw new ContentTooLargeError();
  return { text, bytes } as Content;
}

/** The sha2-256 digest of the content's bytes: the registry's `ipfsHash`. */
export function contentDigest({ bytes }: Content): Hex {
  return bytesToHex(sha256(bytes));
}

/** The CID of the content with this digest: CIDv1, codec raw, sha2-256, base32. */
export function contentCid(digest: Hex): string {
  return CID.createV1(raw.code, Digest.create(sha2_256, hexToBytes(digest))).toString();
}

/** The CID is not one this service gives: CIDv1, codec raw, sha2-256, base32. */
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
