import { ImprimaturError } from './errors.ts';
import type { RequestIssue } from './shapes.ts';

/** What an answer other than success says. */
export interface Refusal {
  readonly status: number;
  /** The service's own words, where it is the service that refused. */
  readonly message: string;
  /** Under it the service's operator finds the request in the logs. */
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** The service refused a request, by the HTTP status `status`. */
export class RefusalError extends ImprimaturError {
  override readonly name: string = 'RefusalError';
  readonly status: number;
  readonly requestId: string | undefined;
  /** How long to wait before asking again, in seconds, where the service says so. */
  readonly retryAfterSeconds: number | undefined;
  constructor({ status, message, requestId, retryAfterSeconds }: Refusal) {
    super(message);
    this.status = status;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 400: `issues` names each field that is wrong; none where the request as a whole is. */
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

/** 404: there is no such attestation of this organisation, or nothing at all under that URL. */
export class NotFoundError extends RefusalError {
  override readonly name = 'NotFoundError';
}

/** 409: the authority has not delegated on that chain, or no longer does. */
export class DelegationInactiveError extends RefusalError {
  override readonly name = 'DelegationInactiveError';
  readonly chainId: number;
  /** Where the service says whom to delegate to. */
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

/** 413: content, metadata and URL together are more than a request may have. */
export class RequestTooLargeError extends RefusalError {
  override readonly name = 'RequestTooLargeError';
}

/** 429: too many requests, or more attestations than the organisation may make in a day or at once. */
export class RateLimitedError extends RefusalError {
  override readonly name = 'RateLimitedError';
}

/** 5xx: the service, or a chain that it has to ask, is in trouble. */
export class ServiceUnavailableError extends RefusalError {
  override readonly name = 'ServiceUnavailableError';
}
