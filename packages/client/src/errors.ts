import type { Attestation } from './shapes.ts';

/** Base class of every foreseen failure. Neither the API key nor a content is ever part of one. */
export abstract class ImprimaturError extends Error {
  // Written out in each class: bundlers shorten the names of classes.
  abstract override readonly name: string;
}

/** An argument that cannot be used; nothing was sent. */
export class ArgumentInvalidError extends ImprimaturError {
  override readonly name = 'ArgumentInvalidError';
}

/**
 * Request without an answer: the name, the network or the service is down, or it took too long. The request may have
 * arrived.
 */
export class ConnectionFailedError extends ImprimaturError {
  override readonly name = 'ConnectionFailedError';
}

/**
 * Answer that is not this service's, or lacks a field it always has: a proxy, a redirect, another service under that
 * URL.
 */
export class AnswerUnusableError extends ImprimaturError {
  override readonly name = 'AnswerUnusableError';
}

/** The attestation will not appear on-chain; `attestation.error` says why. Attesting the content again tries again. */
export class AttestationFailedError extends ImprimaturError {
  override readonly name = 'AttestationFailedError';
  readonly attestation: Attestation;
  constructor(attestation: Attestation) {
    super(`the attestation failed: ${attestation.error}`);
    this.attestation = attestation;
  }
}

/** The link will not appear on-chain. Linking again tries again. */
export class LinkFailedError extends ImprimaturError {
  override readonly name = 'LinkFailedError';
  readonly attestation: Attestation;
  constructor(attestation: Attestation, reason: string) {
    super(`the link failed: ${reason}`);
    this.attestation = attestation;
  }
}

/** The time-out passed while the service was still at work. The service goes on: wait again. */
export class WaitTimeoutError extends ImprimaturError {
  override readonly name = 'WaitTimeoutError';
  /** The attestation as last seen. */
  readonly attestation: Attestation;
  constructor(attestation: Attestation, message: string, options?: ErrorOptions) {
    super(message, options);
    this.attestation = attestation;
  }
}
