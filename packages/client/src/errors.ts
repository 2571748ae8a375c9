import type { Attestation, RequestIssue } from './shapes.ts';

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

/** Answer that is not this service's, or lacks a field it always has: a proxy, a redirect, another service. */
export class AnswerUnusableError extends ImprimaturError {
  override readonly name = 'AnswerUnusableError';
}

/** End of a wait without what was waited for. */
abstract class WaitEndedError extends ImprimaturError {
  /** The attestation as last seen. */
  readonly attestation: Attestation;
  constructor(attestation: Attestation, message: string, options?: ErrorOptions) {
    super(message, options);
    this.attestation = attestation;
  }
}

/** The attestation will not appear on-chain; `attestation.error` says why. Attesting the content again tries again. */
export class AttestationFailedError extends WaitEndedError {
  override readonly name = 'AttestationFailedError';
}

/** The link will not appear on-chain. Linking again tries again. */
export class LinkFailedError extends WaitEndedError {
  override readonly name = 'LinkFailedError';
}

/** The time-out passed while the service was still at work. The service goes on: wait again. */
export class WaitTimeoutError extends WaitEndedError {
  override readonly name = 'WaitTimeoutError';
}

/** Contents of an answer other than success; the message is the service's own, where the service itself refused. */
export type Refusal = Pick<RefusalError, 'status' | 'message' | 'requestId' | 'retryAfterSeconds'>;

/** Refusal of a request by the service, with the HTTP status `status`. */
export class RefusalError extends ImprimaturError {
  override readonly name: string = 'RefusalError';
  readonly status: number;
  /** Id under which the service's operator finds the request in the logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, where the service gives them. */
  readonly retryAfterSeconds: number | undefined;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** 400: `issues` names each field that is wrong; it is empty where the request as a whole is wrong. */
export class RequestInvalidError extends RefusalError {
  override readonly name = 'RequestInvalidError';
  readonly issues: readonly RequestIssue[];
  constructor(refusal: Refusal, issues: readonly RequestIssue[]) {
    const details = issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
    super({ ...refusal, message: details ? `${refusal.message}: ${details}` : refusal.message });
    this.issues = issues;
  }
}

/** 401: the key is wrong, or revoked. */
export class ApiKeyInvalidError extends RefusalError {
  override readonly name = 'ApiKeyInvalidError';
}

/** 404: this organization has no such attestation, or nothing is served under that URL. */
export class NotFoundError extends RefusalError {
  override readonly name = 'NotFoundError';
}

/** 409: the authority has not delegated on that chain, or no longer does. */
export class DelegationInactiveError extends RefusalError {
  override readonly name = 'DelegationInactiveError';
  readonly chainId: number;
  /** URL at which the service names the delegate. */
  readonly helpUrl: string | undefined;
  constructor(refusal: Refusal, chainId: number, helpUrl: string | undefined) {
    super(refusal);
    this.chainId = chainId;
    this.helpUrl = helpUrl;
  }
}

/** 409: the authority has revoked this content on that chain, for ever. */
export class ContentRevokedError extends RefusalError {
  override readonly name = 'ContentRevokedError';
  readonly chainId: number;
  constructor(refusal: Refusal, chainId: number) {
    super(refusal);
    this.chainId = chainId;
  }
}

/** 409: only a confirmed attestation can be linked to another. */
export class AttestationUnconfirmedError extends RefusalError {
  override readonly name = 'AttestationUnconfirmedError';
}

/** 413: content, metadata and URL together exceed the size of a request. */
export class RequestTooLargeError extends RefusalError {
  override readonly name = 'RequestTooLargeError';
}

/** 429: too many requests, or more attestations than the organization may make in a day or have in flight. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError';
}

/** 5xx: the service, or a chain that it has to read, is in trouble. */
export class ServiceUnavailableError extends RefusalError {
  override readonly name = 'ServiceUnavailableError';
}
