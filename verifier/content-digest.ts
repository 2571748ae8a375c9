import { createHash } from 'node:crypto';
import { CID } from 'multiformats/cid';
import * as raw from 'multiformats/codecs/raw';
import { bytesToHex, type Hex } from 'viem';

const sha2_256 = 0x12;

/** A CID of another form than that of an attestation. */
export class CidUnsupportedError extends Error {
  override name = 'CidUnsupportedError';
}

/**
 * Extracts the 32 bytes inside a CIDv1 of codec raw and sha2-256, which the registry keeps.
 * @throws CidUnsupportedError
 */
export function digestOfCid(contentCid: string): Hex {
  let cid: CID;
  try {
    cid = CID.parse(contentCid);
  } catch (cause) {
    throw new CidUnsupportedError('the CID is malformed', { cause });
  }
  if (
    cid.version !== 1 ||
    cid.code !== raw.code ||
    cid.multihash.code !== sha2_256 ||
    cid.multihash.size !== 32
  ) {
    throw new CidUnsupportedError('the CID is not a CIDv1 of codec raw and sha2-256');
  }
  return bytesToHex(cid.multihash.digest);
}

/** Computes the sha2-256 digest of the text's UTF-8 bytes. */
export function digestOfText(text: string): Hex {
  return `0x${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}
