import type { Attestation, RequestIssue } from './shapes.ts';

/** Base class of all expected errors. They never contain the API key or content. */
export abstract class ImprimaturError extends Error {
  // Declared in each class, because bundlers shorten class names.
  abstract override readonly name: string;
}

/** An invalid argument. Nothing was sent. */
export class ArgumentInvalidError extends ImprimaturError {
  override readonly name = 'ArgumentInvalidError';
}

/** A request without an answer, because of the network or the time limit. The service may have received it. */
export class ConnectionFailedError extends ImprimaturError {
  override readonly name = 'ConnectionFailedError';
}

/** An answer that is not from this service or lacks a required field, for example a proxy's answer or a redirect. */
export class AnswerUnusableError extends ImprimaturError {
  override readonly name = 'AnswerUnusableError';
}

/** The end of a wait without success. */
abstract class WaitEndedError extends ImprimaturError {
  /** Last known state. */
  readonly attestation: Attestation;
  constructor(attestation: Attestation, message: string, options?: ErrorOptions) {
    super(message, options);
    this.attestation = attestation;
  }
}

/** The attestation will not appear on the chain; see `attestation.error`. Attest the content again to retry. */
export class AttestationFailedError extends WaitEndedError {
  override readonly name = 'AttestationFailedError';
}

/** The link will not appear on the chain. Link again to retry. */
export class LinkFailedError extends WaitEndedError {
  override readonly name = 'LinkFailedError';
}

/** The time limit passed. The service continues, so you can wait again. */
export class WaitTimeoutError extends WaitEndedError {
  override readonly name = 'WaitTimeoutError';
}

/** Content of an error answer. The message is from the service if the service itself refused. */
export type Refusal = Pick<RefusalError, 'status' | 'message' | 'requestId' | 'retryAfterSeconds'>;

/** A refused request, with its HTTP status. */
export class RefusalError extends ImprimaturError {
  override readonly name: string = 'RefusalError';
  readonly status: number;
  /** ID with which the operator finds the request in the logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, if the service returned them. */
  readonly retryAfterSeconds: number | undefined;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** 400: `issues` lists invalid fields; it is empty if the whole request is invalid. */
export class RequestInvalidError extends RefusalError {
  override readonly name = 'RequestInvalidError';
  readonly issues: readonly RequestIssue[];
  constructor(refusal: Refusal, issues: readonly RequestIssue[]) {
    const details = issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
    super({ ...refusal, message: details ? `${refusal.message}: ${details}` : refusal.message });
    this.issues = issues;
  }
}

/** 401: the key is invalid or revoked. */
export class ApiKeyInvalidError extends RefusalError {
  override readonly name = 'ApiKeyInvalidError';
}

/** 404: the organization has no such attestation, or the URL does not exist. */
export class NotFoundError extends RefusalError {
  override readonly name = 'NotFoundError';
}

/** 409: the authority does not delegate to the service on that chain. */
export class DelegationInactiveError extends RefusalError {
  override readonly name = 'DelegationInactiveError';
  readonly chainId: number;
  /** URL at which the service returns the delegate. */
  readonly helpUrl: string | undefined;
  constructor(refusal: Refusal, chainId: number, helpUrl: string | undefined) {
    super(refusal);
    this.chainId = chainId;
    this.helpUrl = helpUrl;
  }
}

/** 409: the authority has revoked this content on that chain, permanently. */
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

/** 413: content, metadata and URL together are too large. */
export class RequestTooLargeError extends RefusalError {
  override readonly name = 'RequestTooLargeError';
}

/** 429: too many requests, or too many attestations in a day or in progress. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError';
}

/** 5xx: the service, or a chain that it reads, has a problem. */
export class ServiceUnavailableError extends RefusalError {
  override readonly name = 'ServiceUnavailableError';
}
