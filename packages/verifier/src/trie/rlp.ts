import { fromRlp } from 'viem';
import type { Hex } from '../hex.ts';

/** A decoded item of RLP: bytes, or a list of items. */
export type RlpItem = Hex | readonly RlpItem[];

/** An invalid proof; the message is one line. */
export class ProofUnsoundError extends Error {}

/** Decodes RLP; it need not be canonical, because a trusted hash covers each byte. @throws ProofUnsoundError */
export function decodeRlp(bytes: Hex): RlpItem {
  try {
    return fromRlp(bytes, 'hex');
  } catch {
    throw new ProofUnsoundError('it is not valid RLP');
  }
}
