import { fromRlp } from 'viem';
import type { Hex } from '../hex.ts';

/** A decoded item of RLP: bytes, or a list of items. */
export type RlpItem = Hex | readonly RlpItem[];

/** A proof that does not prove what it says; the message is one plain line. */
export class ProofUnsoundError extends Error {
  override name = 'ProofUnsoundError';
}

/** Decodes RLP, in canonical form or not: a hash that is believed names each of its bytes. @throws ProofUnsoundError */
export function decodeRlp(bytes: Hex): RlpItem {
  try {
    return fromRlp(bytes, 'hex');
  } catch {
    throw new ProofUnsoundError('it is not valid RLP');
  }
}
