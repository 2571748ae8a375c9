import {
  attestationIn,
  attestationsIn,
  chainsIn,
  confirmedOf,
  nextCursor,
  proofIn,
  quoteIn,
  summaryIn,
} from './answer.ts';
import { type ClientOptions, type Connection, connectionOf } from './connection.ts';
import { ArgumentInvalidError, AttestationFailedError, LinkFailedError } from './errors.ts';
import { sendWithRetries } from './retry.ts';
import type {
  Attestation,
  AttestationSummary,
  AttestFields,
  Chain,
  ConfirmedAttestation,
  Proof,
  QuoteProof,
} from './shapes.ts';
import { attestationPath, readAttestation, type WaitOptions, waitUntil } from './wait.ts';

export * from './errors.ts';
export { backoffSeconds, isTemporary, retryAfterOf, type TemporaryError } from './retry.ts';
export * from './shapes.ts';
export { type Clock, systemClock } from './time.ts';
export type { ClientOptions, WaitOptions };

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export interface Acceptance {
  /** Whether this call created the attestation. Also false if an earlier attempt created it and its answer was lost. */
  readonly created: boolean;
  readonly attestation: AttestationSummary;
}

export interface LinkAcceptance {
  /** Whether the link is queued, or its transaction is pending. */
  readonly queued: boolean;
  readonly attestation: Attestation;
}

export interface AttestationPage {
  /** Attestations, newest first. With a filter, a page that is not the last may have fewer than the limit, or none. */
  readonly attestations: readonly Attestation[];
  /** Cursor of the next page; absent on the last one. */
  readonly nextCursor?: string;
}

/** Conditions of a list. An attestation must match all of them. */
export interface AttestationFilter {
  readonly contentCid?: string | undefined;
  /** URL, compared in the normalized form of the URL standard. */
  readonly url?: string | undefined;
  readonly status?: Attestation['status'] | undefined;
  /** Start of the creation time, inclusive: ISO 8601 with a zone, or a date in UTC. */
  readonly createdAfter?: Date | string | undefined;
  /** End of the creation time, exclusive. */
  readonly createdBefore?: Date | string | undefined;
}

export interface PageOptions extends AttestationFilter, Abortable {
  /** Number of attestations, from 1 to 200; the service's default is 50. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before, from a list with the same filters. */
  readonly cursor?: string | undefined;
}

/**
 * A publisher's client of the service. All methods retry after temporary errors. They throw a `RefusalError`,
 * `ConnectionFailedError`, `AnswerUnusableError` or `ArgumentInvalidError`, or the reason of the signal.
 */
export class ImprimaturClient {
  readonly #connection: Connection;

  /** @throws ArgumentInvalidError */
  constructor(options: ClientOptions) {
    this.#connection = connectionOf(options);
  }

  /** Attests content unchanged. Safe to repeat: the same content returns the same attestation, unless that failed. */
  async attest(content: string, options: AttestFields & Abortable = {}): Promise<Acceptance> {
    if (typeof content !== 'string')
      throw new ArgumentInvalidError('content must be a string: the text to attest');
    const { signal, ...fields } = options;
    const request = { path: 'attestations', body: { ...fields, content }, signal };
    const answer = await sendWithRetries(this.#connection, request);
    return { created: answer.status === 202, attestation: summaryIn(answer) };
  }

  async get(id: string, { signal }: Abortable = {}): Promise<Attestation> {
    const { attestation } = await readAttestation(this.#connection, { id, signal });
    return attestation;
  }

  /** Reads one page of the organization's attestations that match the filter. */
  async list({ signal, ...parameters }: PageOptions = {}): Promise<AttestationPage> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) query.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
    const path = query.size > 0 ? `attestations?${query}` : 'attestations';
    const answer = await sendWithRetries(this.#connection, { path, signal });
    const next = nextCursor(answer);
    return { attestations: attestationsIn(answer), ...(next === undefined ? {} : { nextCursor: next }) };
  }

  /** Iterates over all matching attestations, newest first, with one request per page. */
  async *listAll({ limit = 200, ...options }: Omit<PageOptions, 'cursor'> = {}): AsyncGenerator<Attestation> {
    let cursor: string | undefined;
    do {
      const page = await this.list({ ...options, limit, cursor });
      yield* page.attestations;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** Reads the proof file of a confirmed attestation. */
  async proof(id: string, { signal }: Abortable = {}): Promise<Proof> {
    return proofIn(await sendWithRetries(this.#connection, { path: `${attestationPath(id)}/proof`, signal }));
  }

  /** Makes the quote proof of a passage of a confirmed attestation. `…` marks an omission. */
  async quote(
    id: string,
    passage: string | readonly string[],
    { signal }: Abortable = {},
  ): Promise<QuoteProof> {
    const request = { path: `${attestationPath(id)}/quotes`, body: { passage }, signal };
    return quoteIn(await sendWithRetries(this.#connection, request));
  }

  /** Links a confirmed attestation to a newer one, which readers of the older one then find. Safe to repeat. */
  async link(id: string, childAttestationId: string, { signal }: Abortable = {}): Promise<LinkAcceptance> {
    const request = { path: `${attestationPath(id)}/child`, body: { childAttestationId }, signal };
    const answer = await sendWithRetries(this.#connection, request);
    return { queued: answer.status === 202, attestation: attestationIn(answer) };
  }

  /** Lists the chains of the service, and whether the organization's authority delegates on each. */
  async chains({ signal }: Abortable = {}): Promise<readonly Chain[]> {
    return chainsIn(await sendWithRetries(this.#connection, { path: 'chains', signal }));
  }

  /** Waits until an attestation is confirmed. Also throws AttestationFailedError and WaitTimeoutError. */
  async waitUntilConfirmed(id: string, options: WaitOptions = {}): Promise<ConfirmedAttestation> {
    const isReached = (attestation: Attestation) => {
      if (attestation.status === 'failed')
        throw new AttestationFailedError(attestation, `the attestation failed: ${attestation.error}`);
      return attestation.status === 'confirmed';
    };
    const attestation = await waitUntil(this.#connection, { ...options, id, goal: 'confirmed', isReached });
    return confirmedOf(attestation);
  }

  /** Waits until the requested link is mined. Also throws LinkFailedError and WaitTimeoutError. */
  async waitUntilLinked(id: string, childId: string, options: WaitOptions = {}): Promise<Attestation> {
    const isReached = (attestation: Attestation) => {
      const { childAttestationId, childLinkTxHash, childLinkError } = attestation;
      if (childAttestationId !== childId.toLowerCase()) {
        const reason =
          childAttestationId === null ? 'no link was requested' : `${childAttestationId} is linked instead`;
        throw new LinkFailedError(attestation, `the link failed: ${reason}`);
      }
      if (childLinkError) throw new LinkFailedError(attestation, `the link failed: ${childLinkError}`);
      return childLinkTxHash !== null;
    };
    return waitUntil(this.#connection, { ...options, id, goal: 'linked', isReached });
  }
}
