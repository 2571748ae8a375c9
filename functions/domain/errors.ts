/** Issue of a request; `path` leads to the offending field. */
export interface RequestIssue {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Base class of every failure that the service expects. State machines match its `name`. */
export abstract class ExpectedError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

export class RequestInvalidError extends ExpectedError {
  readonly issues: readonly RequestIssue[];
  constructor(issues: readonly RequestIssue[]) {
    super('invalid request');
    this.issues = issues;
  }
}

export class BodyTooLargeError extends ExpectedError {
  constructor() {
    super('request body too large');
  }
}

export class ApiKeyInvalidError extends ExpectedError {
  constructor() {
    super('invalid or missing API key');
  }
}

export class ApiKeyExpiredError extends ExpectedError {
  readonly subject: { readonly organizationId: string; readonly keyId: string };
  constructor(expiresAt: string, subject: ApiKeyExpiredError['subject']) {
    super(`the API key expired at ${expiresAt}; ask the service's operator for another`);
    this.subject = subject;
  }
}

export class ChainUnspecifiedError extends ExpectedError {
  constructor() {
    super('no chainId given and no default configured');
  }
}

export class ChildSameError extends ExpectedError {
  constructor() {
    super('childAttestationId must differ from the attestation id');
  }
}

export class AttestationMissingError extends ExpectedError {
  constructor() {
    super('attestation not found');
  }
}

export class ChildMissingError extends ExpectedError {
  constructor() {
    super('childAttestationId not found');
  }
}

export class AttestationUnconfirmedError extends ExpectedError {
  constructor(status: string) {
    super(`attestation not yet confirmed (status ${status})`);
  }
}

/** A passage that no proof can be made of, for the reason in the message; nothing of the passage is in it. */
export class PassageUnquotableError extends ExpectedError {}

export class AttestationUnquotableError extends ExpectedError {}

export class DelegationInactiveError extends ExpectedError {
  readonly chainId: number;
  constructor(chainId: number) {
    super(`no active delegation for chain ${chainId}`);
    this.chainId = chainId;
  }
}

export class ContentRevokedError extends ExpectedError {
  readonly chainId: number;
  constructor(chainId: number) {
    super(`content was revoked on chain ${chainId} and cannot be attested again`);
    this.chainId = chainId;
  }
}

/** A limit of the organization is reached, for a known time or until one of its attestations ends. */
export class LimitReachedError extends ExpectedError {
  readonly retryAfterSeconds: number | undefined;
  constructor(retryAfterSeconds?: number) {
    super('rate limit exceeded');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No provider of the chain answered, or none that serves the right chain. It tells nothing about the chain's state. */
export class ChainUnreachableError extends ExpectedError {
  constructor(chainId: number, options?: ErrorOptions) {
    super(`chain ${chainId} cannot be reached at the moment; try again`, options);
  }
}

export class ChainUnservedError extends ExpectedError {
  constructor(chainId: number) {
    super(`chain ${chainId} is not served`);
  }
}

/** A simulated call reverts at the block it was tried on. Only views at a final block show why. */
export class CallRevertedError extends ExpectedError {
  readonly reason: string;
  constructor(reason: string) {
    super(`the call reverts: ${reason}`);
    this.reason = reason;
  }
}

/** The registry shows this content under this authority already: there is nothing to send. */
export class AlreadyAttestedError extends ExpectedError {}

/** The attestation's row is `failed`, with the reason. The execution only has to end. */
export class AttestationFailedError extends ExpectedError {}

/** The chain's clock, the time of its newest block, has not passed the reveal delay. */
export class RevealTooEarlyError extends ExpectedError {}

/** The final block does not show yet what the newest block shows. A later try can succeed. */
export class NotYetFinalError extends ExpectedError {}

/** An operation is bound to a transaction that may still be mined, so its attestation may not become `failed`. */
export class OperationBoundError extends ExpectedError {}

/** A store or service refused a call for load. The same call may be made again. */
export class ThrottledError extends ExpectedError {}

/** A conditional write did not hold, because the record changed since it was read. Nothing of it was written. */
export class LostRaceError extends ExpectedError {
  constructor() {
    super('the record changed since it was read');
  }
}

/** Every provider refused a transaction because of what it may cost: none of them has it. */
export class TransactionRefusedError extends ExpectedError {}

/** A signature does not recover to the pinned address. It is neither stored nor sent. */
export class SignerMismatchError extends ExpectedError {}

/** An operator's command is refused. The message says why, and what to do. */
export class RefusedError extends ExpectedError {}
