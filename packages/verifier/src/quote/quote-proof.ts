import type { Address, Hex } from '../hex.ts';
import type { AttestationReference } from '../reference/reference.ts';

/** A quoted piece of a text, without omissions, and where it stands. */
export interface QuoteSegment {
  readonly text: string;
  /** Index of the chunk in which it begins. */
  readonly chunk: number;
  /** UTF-16 units of that chunk before it. */
  readonly offset: number;
}

/** A chunk of a text and its way to the quote root, as OpenZeppelin's `StandardMerkleTree.verify` takes them. */
export interface QuoteLeaf {
  readonly value: readonly [index: string, chunk: string];
  /** Siblings from the leaf up. */
  readonly proof: readonly Hex[];
}

/** The attestation that a quote is from, its fields named as the public format does. */
export interface QuotedReference {
  readonly ipfsCid: string;
  readonly chainId: number;
  readonly registryAddress: Address;
  readonly authority: Address;
  readonly attestationIndex: number;
}

/** Proof that an authority stated a passage in what it attested; it is checked without the text. */
export interface QuoteProof extends QuotedReference {
  readonly version: 1;
  /** The quoted pieces in the order of the text. */
  readonly segments: readonly QuoteSegment[];
  /** The chunks that hold the pieces, each once, in the order of the text. */
  readonly proof: readonly QuoteLeaf[];
}

/** Size of a proof as JSON, in bytes, up to which it is made and read: who quotes more had better give the text. */
export const maxProofSize = 1_048_576;

/** A quote proof that is malformed or proves nothing; the message is one plain sentence that says why. */
export class QuoteProofInvalidError extends Error {
  override name = 'QuoteProofInvalidError';

  /** What a command answers to scripts: a forged proof is an answer, not a usage error. */
  get answer(): { readonly verified: false; readonly reason: string } {
    return { verified: false, reason: this.message };
  }

  /** The same for a person. */
  get answerText(): string {
    return `not verified: ${this.message}`;
  }
}

/** @throws QuoteProofInvalidError */
export function fail(problem: string): never {
  throw new QuoteProofInvalidError(problem);
}

/** A reference with the names of the public format. */
export function quotedReference(reference: AttestationReference): QuotedReference {
  const { contentCid: ipfsCid, authorityAddress: authority, ...place } = reference;
  return { ipfsCid, authority, ...place };
}
