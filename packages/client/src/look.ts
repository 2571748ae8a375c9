import type { Connection } from './connection.ts';
import { ArgumentInvalidError } from './errors.ts';
import { persist } from './persist.ts';
import { attestationIn } from './read-answer.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { Attestation } from './shapes.ts';

/** An attestation as seen at one time, and when the service asked to be called again. */
export interface PolledAttestation {
  readonly attestation: Attestation;
  readonly etag: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

interface AttestationTarget {
  readonly id: string;
  readonly signal?: AbortSignal | undefined;
}

/** Reads an attestation; a repeated read costs little when nothing has changed since `before`. */
export async function look(
  connection: Connection,
  { id, signal }: AttestationTarget,
  before?: PolledAttestation,
): Promise<PolledAttestation> {
  const path = attestationPath(id);
  const answer = await persist(connection, { path, etag: before?.etag, signal });
  const { status, headers } = answer;
  return {
    attestation: before && status === 304 ? before.attestation : attestationIn(answer),
    etag: headers.get('etag') ?? before?.etag,
    retryAfterSeconds: retryAfterSeconds(headers, connection.clock.now()),
  };
}

/**
 * Path of an attestation. Only an id is accepted: any other text could lead to another path.
 * @throws ArgumentInvalidError
 */
export function attestationPath(id: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return `attestations/${id}`;
  throw new ArgumentInvalidError("an attestation's id has the form 01234567-89ab-cdef-0123-456789abcdef");
}
