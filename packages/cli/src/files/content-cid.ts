import { createHash } from 'node:crypto';

type Verifier = typeof import('imprimatur-verifier');

/** CIDv1 of a text or of its bytes: raw, sha2-256, base32. */
export function contentCid(
  { cidOfDigest }: Pick<Verifier, 'cidOfDigest'>,
  content: string | Uint8Array,
): string {
  return cidOfDigest(`0x${createHash('sha256').update(content).digest('hex')}`);
}
