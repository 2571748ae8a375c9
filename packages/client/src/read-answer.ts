import { type Answer, fieldsOf, unusable } from './answer.ts';
import { AnswerUnusableError } from './errors.ts';
import type { Attestation, AttestationSummary, Chain, ConfirmedAttestation, Proof } from './shapes.ts';

/**
 * Readers of answers. They check only the fields that tell this service from another one, so that a later version of it
 * may add fields. Each throws AnswerUnusableError.
 */

export function summaryIn(answer: Answer): AttestationSummary {
  if (isSummary(answer.body)) return answer.body;
  throw unusable(answer);
}

export function attestationIn(answer: Answer): Attestation {
  return summaryIn(answer) as Attestation;
}

/** Checks that a confirmed attestation has what the service always says of one. */
export function confirmedOf(attestation: Attestation): ConfirmedAttestation {
  if (isConfirmed(attestation)) return attestation;
  throw new AnswerUnusableError('the service names no attestationIndex of a confirmed attestation');
}

export function attestationsIn(answer: Answer): readonly Attestation[] {
  const { attestations } = fieldsOf(answer.body);
  if (Array.isArray(attestations) && attestations.every(isSummary)) return attestations as Attestation[];
  throw unusable(answer);
}

export function chainsIn(answer: Answer): readonly Chain[] {
  const { chains } = fieldsOf(answer.body);
  if (Array.isArray(chains) && chains.every(isChain)) return chains;
  throw unusable(answer);
}

export function proofIn(answer: Answer): Proof {
  const { version, reference } = fieldsOf(answer.body);
  if (typeof version === 'number' && typeof fieldsOf(reference).attestationIndex === 'number')
    return answer.body as Proof;
  throw unusable(answer);
}

function isConfirmed(attestation: Attestation): attestation is ConfirmedAttestation {
  const { status, attestationIndex, confirmedAt } = attestation;
  return status === 'confirmed' && typeof attestationIndex === 'number' && typeof confirmedAt === 'string';
}

function isSummary(value: unknown): value is AttestationSummary {
  const { id, status } = fieldsOf(value);
  return typeof id === 'string' && typeof status === 'string';
}

function isChain(value: unknown): value is Chain {
  return typeof fieldsOf(value).chainId === 'number';
}
