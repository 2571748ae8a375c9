import { retryName } from '../../adapters/aws/client.ts';
import * as errors from '../../domain/errors.ts';
import type { Reply } from './reply.ts';

const retrySoon = { 'Retry-After': '5' };

/** Reply when AWS is overloaded: the request may be repeated. */
const busy: Reply = { status: 503, body: { error: 'busy; try again' }, headers: retrySoon };

const statuses: { readonly [Name in keyof typeof errors]?: number } = {
  RequestInvalidError: 400,
  ChainUnspecifiedError: 400,
  ChildSameError: 400,
  ApiKeyInvalidError: 401,
  ApiKeyExpiredError: 401,
  ApiKeyReadOnlyError: 403,
  AttestationMissingError: 404,
  ChildMissingError: 404,
  DelegationInactiveError: 409,
  ContentRevokedError: 409,
  AttestationUnconfirmedError: 409,
  AttestationUnquotableError: 409,
  BodyTooLargeError: 413,
  PassageUnquotableError: 422,
  LimitReachedError: 429,
  ChainUnreachableError: 503,
  ThrottledError: 503,
};

/** Returns the reply to an error; `undefined` for an unexpected one. The path includes the prefix of the service. */
export function errorReply(error: unknown, path: string): Reply | undefined {
  const isExpected = error instanceof errors.ExpectedError;
  const status = isExpected ? statuses[error.name as keyof typeof errors] : undefined;
  if (!isExpected || status === undefined)
    return retryName(error) === errors.ThrottledError.name ? busy : undefined;
  return {
    status,
    body: { error: error.message, ...details(error) },
    headers: headersOf(error, status, path),
  };
}

function headersOf(error: unknown, status: number, path: string): NonNullable<Reply['headers']> {
  // The list of chains has the address to delegate to.
  if (error instanceof errors.DelegationInactiveError) {
    return { Link: `<${path.replace(/\/attestations$/, '/chains')}>; rel="help"` };
  }
  if (error instanceof errors.LimitReachedError && error.retryAfterSeconds !== undefined) {
    return { 'Retry-After': String(error.retryAfterSeconds) };
  }
  return status === 429 || status === 503 ? retrySoon : {};
}

function details(error: unknown): object {
  if (error instanceof errors.RequestInvalidError) return { issues: error.issues };
  const hasChain =
    error instanceof errors.DelegationInactiveError || error instanceof errors.ContentRevokedError;
  return hasChain ? { chainId: error.chainId } : {};
}

export const internalErrorReply: Reply = { status: 500, body: { error: 'internal error' } };
