import type { Block } from '../chain/block.ts';
import type { RegistryCode } from '../chain/known-registries.ts';
import type { AskedQuestion } from '../chain/provider.ts';
import type { RegistryEntry } from '../chain/registry-calls.ts';
import type { AttestationReference } from '../reference/reference.ts';
import type { TextComparison } from '../text/compare-text.ts';
import type { Corrections } from './read-corrections.ts';
import type { EarlierAttestation, RegistryRecord } from './read-record.ts';

/**
 * Answer to whether an attestation stands, the first that applies: `unknown` (nothing can be said, and nothing is said
 * against the text), `notFound`, `altered` (the text is not the attested one), `revoked`, `superseded` (attested, and
 * the authority names a successor), `verified`.
 */
export type Outcome = 'unknown' | 'notFound' | 'altered' | 'revoked' | 'superseded' | 'verified';

/** One provider's part in a verdict. */
export interface ProviderReport {
  readonly name: string;
  /** Block at which it was read; `undefined` when it did not answer. */
  readonly block: Block | undefined;
  /** What it says, or what is wrong with it, in words that go on from its name. */
  readonly says: string;
  /** Whether it gave an answer that counts. */
  readonly answered: boolean;
}

/** The attestation as the registry holds it. Times are block times, in seconds since 1970. */
export interface AttestationFacts
  extends Pick<RegistryEntry, 'digest' | 'quoteRoot' | 'authorityAddress' | 'revokedAt'> {
  readonly attestedAt: number;
  /** The block of the reveal and its least depth at any provider; `undefined` where none has the old blocks. */
  readonly revealBlock: RevealBlock | undefined;
}

/** The last block of the second in which an attestation was revealed; on most chains there is one block a second or less. */
export interface RevealBlock {
  readonly number: number;
  /** Number of blocks from it to the one that was read, both counted: 1 is the newest. */
  readonly depth: number;
}

/** Result of a verification. */
export interface Verdict {
  readonly outcome: Outcome;
  /** Why, in one plain sentence. */
  readonly reason: string;
  readonly reference: AttestationReference;
  /** `undefined` where nothing was found. */
  readonly attestation: AttestationFacts | undefined;
  /** Whether a later block may still undo what was found, as far as providers tell. */
  readonly notYetFinal: boolean;
  /** An authority that attested the same content before. */
  readonly firstAttestedBy: EarlierAttestation | undefined;
  readonly corrections: Corrections | undefined;
  /** The text that was given, compared with the content of the reference; `undefined` without one. */
  readonly text: TextComparison | undefined;
  /** Whether a page that was given beside the text has its words, as a hint; `undefined` where that was not compared. */
  readonly pageShowsText?: boolean;
  /** Whether the quote root in the registry is that of the text; `undefined` without a text or an entry. */
  readonly quoteRootHolds: boolean | undefined;
  /** The code at the registry's address; `undefined` where there is none, or too few answered. */
  readonly registry: RegistryCode | undefined;
  /** What the registry answered; `undefined` where it is not known, or too few answered. */
  readonly record: RegistryRecord | undefined;
  /** Block at which all of this was read, of the provider that is furthest behind. */
  readonly block: Block | undefined;
  /** What a reader should be told beside the outcome, a plain sentence each. */
  readonly notices: readonly string[];
  readonly providers: readonly ProviderReport[];
  /** Every question, in the order in which it was answered. */
  readonly asked: readonly AskedQuestion[];
}
