import type { Address, Hex } from '../hex.ts';
import type { AttestationReference } from '../reference/reference.ts';

/** A quoted piece of a text, without omissions, and its position. */
export interface QuoteSegment {
  readonly text: string;
  /** Index of the chunk in which it begins. */
  readonly chunk: number;
  /** UTF-16 units of that chunk before it. */
  readonly offset: number;
}

/** A chunk of a text and its Merkle proof, in the form of OpenZeppelin's `StandardMerkleTree.verify`. */
export interface QuoteLeaf {
  readonly value: readonly [index: string, chunk: string];
  /** Siblings from the leaf up. */
  readonly proof: readonly Hex[];
}

/** The attestation of a quote, with the field names of the public format. */
export interface QuotedReference {
  readonly ipfsCid: string;
  readonly chainId: number;
  readonly registryAddress: Address;
  readonly authority: Address;
  readonly attestationIndex: number;
}

/** Proof that an authority attested a passage; it is checked without the text. */
export interface QuoteProof extends QuotedReference {
  readonly version: 1;
  /** The quoted pieces in the order of the text. */
  readonly segments: readonly QuoteSegment[];
  /** The chunks that contain the pieces, in the order of the text. */
  readonly proof: readonly QuoteLeaf[];
}

/** Maximum size of a proof as JSON, in bytes. */
export const maxProofSize = 1_048_576;

/** A malformed or invalid quote proof; the message is one sentence. */
export class QuoteProofInvalidError extends Error {
  override name = 'QuoteProofInvalidError';

  /** The output of a command as JSON: a forged proof is a negative result, not wrong usage. */
  get answer(): { readonly verified: false; readonly reason: string } {
    return { verified: false, reason: this.message };
  }

  /** The output of a command as text. */
  get answerText(): string {
    return `not verified: ${this.message}`;
  }
}

export function fail(problem: string): never {
  throw new QuoteProofInvalidError(problem);
}

export function quotedReference(reference: AttestationReference): QuotedReference {
  const { contentCid: ipfsCid, authorityAddress: authority, ...position } = reference;
  return { ipfsCid, authority, ...position };
}
