import { AnswerUnusableError } from './errors.ts';
import type {
  Attestation,
  AttestationSummary,
  Chain,
  ConfirmedAttestation,
  Proof,
  QuoteProof,
} from './shapes.ts';

/** An answer of the service, or of another server at its URL. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` if it is invalid. */
  readonly body: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a JSON object or list; empty for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function unusableAnswer({ url }: Answer): AnswerUnusableError {
  const { origin } = new URL(url);
  return new AnswerUnusableError(`${origin} does not respond like this service; check the URL`);
}

/** Reads `Retry-After` (RFC 9110, 10.2.3) as seconds from now: a number of seconds, or a date. */
export function retryAfterSeconds({ headers }: Answer, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  // `Date.parse` also accepts "-5" and "soon 1", so a weekday is required.
  const dateMs = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, (dateMs - nowMs) / 1000);
}

/** Target of a relation in the `Link` header (RFC 8288). */
export function linkTarget({ headers }: Answer, relation: 'next' | 'help'): string | undefined {
  for (const [, target, parameters] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^,<]*)/g)) {
    const relations = /;\s*rel="?([^";]*)"?/i.exec(parameters ?? '')?.[1]?.split(' ') ?? [];
    if (relations.includes(relation)) return target;
  }
  return undefined;
}

/**
 * Reads the cursor from the link with `rel="next"`. Nothing else of the link is used: the key must not be sent to an
 * address from an answer, and the path behind a proxy may differ.
 */
export function nextCursor(answer: Answer): string | undefined {
  const next = linkTarget(answer, 'next');
  return (next && new URL(next, 'https://service.invalid').searchParams.get('cursor')) || undefined;
}

// These readers throw AnswerUnusableError. They check only the fields that identify this service, so that later
// versions may add fields.

export function summaryIn(answer: Answer): AttestationSummary {
  if (isSummary(answer.body)) return answer.body;
  throw unusableAnswer(answer);
}

export function attestationIn(answer: Answer): Attestation {
  return summaryIn(answer) as Attestation;
}

export function attestationsIn(answer: Answer): readonly Attestation[] {
  const { attestations } = fieldsOf(answer.body);
  if (Array.isArray(attestations) && attestations.every(isSummary)) return attestations as Attestation[];
  throw unusableAnswer(answer);
}

export function chainsIn(answer: Answer): readonly Chain[] {
  const { chains } = fieldsOf(answer.body);
  if (Array.isArray(chains) && chains.every((chain) => typeof fieldsOf(chain).chainId === 'number'))
    return chains;
  throw unusableAnswer(answer);
}

export function proofIn(answer: Answer): Proof {
  const { version, reference } = fieldsOf(answer.body);
  if (typeof version === 'number' && typeof fieldsOf(reference).attestationIndex === 'number')
    return answer.body as Proof;
  throw unusableAnswer(answer);
}

export function quoteIn(answer: Answer): QuoteProof {
  const { version, segments, proof } = fieldsOf(answer.body);
  if (typeof version === 'number' && Array.isArray(segments) && Array.isArray(proof))
    return answer.body as QuoteProof;
  throw unusableAnswer(answer);
}

/** Checks the fields that a confirmed attestation always has. */
export function confirmedOf(attestation: Attestation): ConfirmedAttestation {
  const { attestationIndex, confirmedAt } = attestation;
  if (typeof attestationIndex === 'number' && typeof confirmedAt === 'string')
    return attestation as ConfirmedAttestation;
  throw new AnswerUnusableError('a confirmed attestation lacks attestationIndex or confirmedAt');
}

function isSummary(value: unknown): value is AttestationSummary {
  const { id, status } = fieldsOf(value);
  return typeof id === 'string' && typeof status === 'string';
}
