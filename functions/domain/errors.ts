export interface RequestIssue {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Base class of expected errors. State machines match the `name` of the thrown error's class. */
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

export class ApiKeyReadOnlyError extends ExpectedError {
  constructor() {
    super("this API key may only read; ask the service's operator for one that may attest");
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

/** A passage cannot be proven. The message gives the reason without quoting the passage. */
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

/** The organization reached a limit, either for a known time or until one of its attestations ends. */
export class LimitReachedError extends ExpectedError {
  readonly retryAfterSeconds: number | undefined;
  constructor(retryAfterSeconds?: number) {
    super('rate limit exceeded');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No provider of the chain answered, or none serves the right chain. The chain's state is unknown. */
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

/** A simulated call reverts at the newest block. Only a view of a final block can show whether that is permanent. */
export class CallRevertedError extends ExpectedError {
  readonly reason: string;
  constructor(reason: string) {
    super(`the call reverts: ${reason}`);
    this.reason = reason;
  }
}

/** The registry already holds this content of this authority, so nothing is sent. */
export class AlreadyAttestedError extends ExpectedError {}

/** The attestation is `failed`, with the reason in its row. The execution only has to end. */
export class AttestationFailedError extends ExpectedError {}

/** The newest block is older than the end of the reveal delay. */
export class RevealTooEarlyError extends ExpectedError {}

/** The final block does not yet show the state of the newest block. A later attempt can succeed. */
export class NotYetFinalError extends ExpectedError {}

/** An operation may still be mined, or the registry holds the content, so the attestation cannot become `failed`. */
export class OperationBoundError extends ExpectedError {}

/** AWS throttled a call or was unavailable, or other writers kept changing a record. A retry may succeed. */
export class ThrottledError extends ExpectedError {}

/** A conditional write failed because the record changed since it was read. Nothing was written. */
export class LostRaceError extends ExpectedError {
  constructor() {
    super('the record changed since it was read');
  }
}

/** No provider accepted a transaction, because of its possible cost, so none has it. */
export class TransactionRefusedError extends ExpectedError {}

/** A signature does not recover to the key's address, or a lane's key is missing. No signature is stored or sent. */
export class SignerMismatchError extends ExpectedError {}

/** An operator's command was refused. The message gives the reason and the next step. */
export class RefusedError extends ExpectedError {}
