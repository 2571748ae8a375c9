import type { Block } from '../chain/block.ts';
import type { RegistryCode } from '../chain/known-registries.ts';
import type { RecordedRequest } from '../chain/provider.ts';
import type { RegistryEntry } from '../chain/registry-calls.ts';
import type { AttestationReference } from '../reference/reference.ts';
import type { TextComparison } from '../text/compare-text.ts';
import type { Corrections } from './read-corrections.ts';
import type { EarlierAttestation, RegistryRecord } from './read-record.ts';

/** The first outcome that applies. `altered`: the text is not the attested one; `superseded`: there is a successor. */
export type Outcome = 'unknown' | 'notFound' | 'altered' | 'revoked' | 'superseded' | 'verified';

/** One provider's report. */
export interface ProviderReport {
  readonly name: string;
  /** Block that was read; `undefined` without an answer. */
  readonly block: Block | undefined;
  /** Its answer or its fault; follows its name in a sentence. */
  readonly says: string;
  /** Whether its answer counts. */
  readonly answered: boolean;
}

/** The attestation in the registry. Times are block times, in seconds since 1970. */
export interface AttestationFacts
  extends Pick<RegistryEntry, 'digest' | 'quoteRoot' | 'authorityAddress' | 'revokedAt'> {
  readonly attestedAt: number;
  /** The reveal's block with its least depth at any provider; `undefined` if none has old blocks. */
  readonly revealBlock: RevealBlock | undefined;
}

/** The last block with the time of the reveal. */
export interface RevealBlock {
  readonly number: number;
  /** Number of blocks from it to the one that was read, both included. */
  readonly depth: number;
}

/** Result of a verification. */
export interface Verdict {
  readonly outcome: Outcome;
  /** One or more sentences. */
  readonly reason: string;
  readonly reference: AttestationReference;
  /** `undefined` if nothing was found. */
  readonly attestation: AttestationFacts | undefined;
  /** Whether a reorg may still remove the attestation or its revocation. */
  readonly notYetFinal: boolean;
  /** Another authority that attested the same content earlier. */
  readonly firstAttestedBy: EarlierAttestation | undefined;
  readonly corrections: Corrections | undefined;
  /** Comparison of the given text with the content; `undefined` without a text. */
  readonly text: TextComparison | undefined;
  /** A hint about whether the given page has the text's words; `undefined` without a comparison. */
  readonly pageShowsText?: boolean;
  /** Whether the text has the registry's quote root; `undefined` without a text or an entry. */
  readonly quoteRootHolds: boolean | undefined;
  /** The code at the registry's address; `undefined` without code, or if providers disagree or too few answered. */
  readonly registry: RegistryCode | undefined;
  /** The registry's answers; `undefined` if it is not known, or if providers disagree or too few answered. */
  readonly record: RegistryRecord | undefined;
  /** The oldest of the blocks that the providers read; `undefined` if they disagree or too few answered. */
  readonly block: Block | undefined;
  /** More sentences for readers. */
  readonly notices: readonly string[];
  readonly providers: readonly ProviderReport[];
  /** All requests, in the order of the answers. */
  readonly asked: readonly RecordedRequest[];
}
