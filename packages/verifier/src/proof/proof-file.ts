import type { Address, Hex } from '../hex.ts';
import type { AttestationReference } from '../reference/reference.ts';

/** A storage slot with its Merkle proof. */
export interface ProofSlot {
  readonly slot: Hex;
  /** 32 bytes; zero if the trie has no value. */
  readonly value: Hex;
  readonly proof: readonly Hex[];
}

/** An account with its Merkle proof. */
export interface ProofAccount {
  readonly address: Address;
  readonly accountProof: readonly Hex[];
  /** Only of the registry and of its pages, the contracts that store digests and quote roots. */
  readonly code?: Hex | undefined;
  /** In ascending order, without duplicates. */
  readonly slots: readonly ProofSlot[];
}

/** The state after one block, as far as a verdict needs it. */
export interface ProofStorage {
  readonly block: {
    readonly number: number;
    readonly hash: Hex;
    /** RLP of the header; its keccak256 is the hash. */
    readonly header: Hex;
    /** Whether a provider called the block final when the proof was taken or renewed. */
    readonly final: boolean;
  };
  /** In ascending order of addresses, without duplicates. */
  readonly accounts: readonly ProofAccount[];
}

/** The content of a proof file, `<name>.proof.json`. */
export interface ProofFile {
  readonly version: 1;
  readonly reference: AttestationReference;
  readonly content: {
    readonly bytes?: number | undefined;
    readonly quoteRoot?: Hex | undefined;
    /** The rule of the quote tree: `taanq-46`. */
    readonly quoteTree?: string | undefined;
  };
  readonly attested: {
    readonly commitTransaction?: Hex | undefined;
    readonly revealTransaction?: Hex | undefined;
    /** Number of the block of the reveal. */
    readonly block?: number | undefined;
    /** Block time of the reveal, ISO 8601 in UTC. */
    readonly time: string;
  };
  readonly registry?: { readonly codeHash: Hex } | undefined;
  /** The authority's domain, a hint. */
  readonly publisher?: { readonly domain: string } | undefined;
  /** Missing if the file cannot be checked offline. */
  readonly storage?: ProofStorage | undefined;
}

/** The path of a text's proof file beside it: `article.proof.json` beside `article.md`. */
export function proofPathOf(path: string): string {
  return `${path.replace(/\.[^./\\]*$/, '')}.proof.json`;
}
