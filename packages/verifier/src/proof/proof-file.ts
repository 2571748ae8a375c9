import type { Address, Hex } from '../hex.ts';
import type { AttestationReference } from '../reference/reference.ts';

/** A slot of an account, with the nodes of the account's trie that lead to it. */
export interface ProofSlot {
  readonly slot: Hex;
  /** The word in it, 32 bytes; zero where the trie shows that there is nothing. */
  readonly value: Hex;
  readonly proof: readonly Hex[];
}

/** An account, with the nodes of the state's trie that lead to it. */
export interface ProofAccount {
  readonly address: Address;
  readonly accountProof: readonly Hex[];
  /** Of the registry and of pages, whose code a verdict needs. */
  readonly code?: Hex | undefined;
  /** In ascending order, each once. */
  readonly slots: readonly ProofSlot[];
}

/** Everything that a verdict needs of the state after one block. */
export interface ProofStorage {
  readonly block: {
    readonly number: number;
    readonly hash: Hex;
    /** RLP of the header, whose keccak256 is the hash. */
    readonly header: Hex;
    /** Whether the block was final when the proof was taken, as a provider said. */
    readonly final: boolean;
  };
  /** In ascending order of addresses, each once. */
  readonly accounts: readonly ProofAccount[];
}

/** The content of a proof file, `<name>.proof.json`. A field that is optional may be missing. */
export interface ProofFile {
  readonly version: 1;
  readonly reference: AttestationReference;
  readonly content: {
    readonly bytes?: number | undefined;
    /** Missing where the maker has not seen what the registry keeps. */
    readonly quoteRoot?: Hex | undefined;
    /** How the quote tree is made: `taanq-46`. */
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
  /** Where to look for who the authority is; a hint. */
  readonly publisher?: { readonly domain: string } | undefined;
  /** Absent where nothing can be checked without a provider. */
  readonly storage?: ProofStorage | undefined;
}

/** The path of a text's proof file beside it: `article.proof.json` beside `article.md`. */
export function proofPathOf(path: string): string {
  return `${path.replace(/\.[^./\\]*$/, '')}.proof.json`;
}
