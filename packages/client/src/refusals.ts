import { ImprimaturError } from './errors.ts';
import type { RequestIssue } from './shapes.ts';

/** Contents of an answer other than success. */
export interface Refusal {
  readonly status: number;
  /** The service's own message, where the service itself refused. */
  readonly message: string;
  /** Id under which the service's operator finds the request in the logs. */
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Refusal of a request by the service, with the HTTP status `status`. */
export class RefusalError extends ImprimaturError {
  override readonly name: string = 'RefusalError';
  readonly status: number;
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, where the service gives them. */
  readonly retryAfterSeconds: number | undefined;
  constructor({ status, message, requestId, retryAfterSeconds }: Refusal) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
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

/** 404: this organisation has no such attestation, or nothing is served under that URL. */
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

/** 429: too many requests, or more attestations than the organisation may make in a day or have in flight. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError';
}

/** 5xx: the service, or a chain that it has to read, is in trouble. */
export class ServiceUnavailableError extends RefusalError {
  override readonly name = 'ServiceUnavailableError';
}
