import {
  attestationIn,
  attestationsIn,
  chainsIn,
  confirmedOf,
  nextCursor,
  proofIn,
  summaryIn,
} from './answer.ts';
import { type ClientOptions, type Connection, connectionOf } from './connection.ts';
import { ArgumentInvalidError, AttestationFailedError, LinkFailedError } from './errors.ts';
import { persist } from './persist.ts';
import type {
  Attestation,
  AttestationSummary,
  AttestFields,
  Chain,
  ConfirmedAttestation,
  Proof,
} from './shapes.ts';
import { attestationPath, look, type WaitOptions, waitUntil } from './wait.ts';

export * from './errors.ts';
export { backoffSeconds, toldSeconds } from './persist.ts';
export * from './shapes.ts';
export { type Clock, systemClock } from './time.ts';
export type { ClientOptions, WaitOptions };

interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** Result of `attest`. */
export interface Acceptance {
  /**
   * Whether the last try made the attestation; false when the same content was attested before. It is false, too, when
   * an earlier try of the same call made it and the answer was lost.
   */
  readonly created: boolean;
  readonly attestation: AttestationSummary;
}

/** Result of `link`. */
export interface LinkAcceptance {
  /** Whether its transaction is still to come. */
  readonly queued: boolean;
  readonly attestation: Attestation;
}

/** A page of an organization's attestations. */
export interface AttestationPage {
  /** Attestations, newest first. With a filter they may be fewer than the limit, or none, on a page that is not the last. */
  readonly attestations: readonly Attestation[];
  /** Cursor of the page after this one; absent on the last. */
  readonly nextCursor?: string;
}

/** Conditions of a list. An attestation has to fulfil all that are given. */
export interface AttestationFilter {
  readonly contentCid?: string | undefined;
  /** URL, compared as the URL standard writes it. */
  readonly url?: string | undefined;
  readonly status?: Attestation['status'] | undefined;
  /** Time at or after which it was created; a text is ISO 8601 with a zone, or a date (UTC). */
  readonly createdAfter?: Date | string | undefined;
  /** Time before which it was created. */
  readonly createdBefore?: Date | string | undefined;
}

export interface PageOptions extends AttestationFilter, Abortable {
  /** Number of attestations, from 1 to 200; the service's default is 50. */
  readonly limit?: number | undefined;
  /** Cursor of a page before, of a list with the same filters. */
  readonly cursor?: string | undefined;
}

/**
 * A publisher's client of the service. Every method tries again while a refusal may pass, and throws a `RefusalError`,
 * `ConnectionFailedError`, `AnswerUnusableError` or `ArgumentInvalidError`, or the reason of its signal.
 */
export class ImprimaturClient {
  readonly #connection: Connection;

  /** @throws ArgumentInvalidError */
  constructor(options: ClientOptions) {
    this.#connection = connectionOf(options);
  }

  /**
   * Attests a content exactly as given. The same content again is the same attestation, so a call is safe to repeat.
   */
  async attest(content: string, options: AttestFields & Abortable = {}): Promise<Acceptance> {
    if (typeof content !== 'string')
      throw new ArgumentInvalidError('content must be a string: the text to attest');
    const { signal, ...fields } = options;
    const ask = { path: 'attestations', body: { ...fields, content }, signal };
    const answer = await persist(this.#connection, ask);
    return { created: answer.status === 202, attestation: summaryIn(answer) };
  }

  async get(id: string, { signal }: Abortable = {}): Promise<Attestation> {
    const { attestation } = await look(this.#connection, { id, signal });
    return attestation;
  }

  /** Reads one page of the organization's attestations, or of those that fulfil the filters. */
  async list({ signal, ...asked }: PageOptions = {}): Promise<AttestationPage> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(asked)) {
      if (value !== undefined) query.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
    const path = query.size > 0 ? `attestations?${query}` : 'attestations';
    const answer = await persist(this.#connection, { path, signal });
    const next = nextCursor(answer);
    return { attestations: attestationsIn(answer), ...(next === undefined ? {} : { nextCursor: next }) };
  }

  /**
   * Iterates over all of the organization's attestations, or of those that fulfil the filters, newest first, one page per
   * request. Attestations made meanwhile are not included.
   */
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
    return proofIn(await persist(this.#connection, { path: `${attestationPath(id)}/proof`, signal }));
  }

  /** Links a confirmed attestation to a newer one, which readers of the old one then find. Safe to repeat. */
  async link(id: string, childAttestationId: string, { signal }: Abortable = {}): Promise<LinkAcceptance> {
    const ask = { path: `${attestationPath(id)}/child`, body: { childAttestationId }, signal };
    const answer = await persist(this.#connection, ask);
    return { queued: answer.status === 202, attestation: attestationIn(answer) };
  }

  /** Lists the chains that the service serves, and whether the organization's authority has delegated on each. */
  async chains({ signal }: Abortable = {}): Promise<readonly Chain[]> {
    return chainsIn(await persist(this.#connection, { path: 'chains', signal }));
  }

  /** Waits until an attestation is confirmed. @throws AttestationFailedError, WaitTimeoutError too */
  async waitUntilConfirmed(id: string, options: WaitOptions = {}): Promise<ConfirmedAttestation> {
    const isReached = (attestation: Attestation) => {
      if (attestation.status === 'failed')
        throw new AttestationFailedError(attestation, `the attestation failed: ${attestation.error}`);
      return attestation.status === 'confirmed';
    };
    const attestation = await waitUntil(this.#connection, { ...options, id, goal: 'confirmed', isReached });
    return confirmedOf(attestation);
  }

  /** Waits until the requested link is mined. @throws LinkFailedError, WaitTimeoutError too */
  async waitUntilLinked(id: string, childId: string, options: WaitOptions = {}): Promise<Attestation> {
    const isReached = (attestation: Attestation) => {
      const { childAttestationId, childLinkTxHash, childLinkError } = attestation;
      if (childAttestationId !== childId.toLowerCase()) {
        const message = `the link failed: ${childAttestationId} is linked instead`;
        throw new LinkFailedError(attestation, message);
      }
      if (childLinkError) throw new LinkFailedError(attestation, `the link failed: ${childLinkError}`);
      return childLinkTxHash !== null;
    };
    return waitUntil(this.#connection, { ...options, id, goal: 'linked', isReached });
  }
}
