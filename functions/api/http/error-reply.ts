import { retryName } from '../../adapters/aws/client.ts';
import {
  ApiKeyExpiredError,
  ApiKeyInvalidError,
  AttestationMissingError,
  AttestationUnconfirmedError,
  AttestationUnquotableError,
  BodyTooLargeError,
  ChainUnreachableError,
  ChainUnspecifiedError,
  ChildMissingError,
  ChildSameError,
  ContentRevokedError,
  DelegationInactiveError,
  ExpectedError,
  LimitReachedError,
  PassageUnquotableError,
  RequestInvalidError,
  ThrottledError,
} from '../../domain/errors.ts';
import type { Reply } from './reply.ts';

const retrySoon = { 'Retry-After': '5' };

/** Reply when AWS itself refused for load: the same request may be made again. */
const busy: Reply = { status: 503, body: { error: 'busy; try again' }, headers: retrySoon };

/** Statuses of the expected errors, mapped here alone. */
const statuses = new Map<string, number>([
  [RequestInvalidError.name, 400],
  [ChainUnspecifiedError.name, 400],
  [ChildSameError.name, 400],
  [ApiKeyInvalidError.name, 401],
  [ApiKeyExpiredError.name, 401],
  [AttestationMissingError.name, 404],
  [ChildMissingError.name, 404],
  [DelegationInactiveError.name, 409],
  [ContentRevokedError.name, 409],
  [AttestationUnconfirmedError.name, 409],
  [AttestationUnquotableError.name, 409],
  [BodyTooLargeError.name, 413],
  [PassageUnquotableError.name, 422],
  [LimitReachedError.name, 429],
  [ChainUnreachableError.name, 503],
  [ThrottledError.name, 503],
]);

/** Returns the reply to an error; `undefined` for one that is not expected. The path has the prefix that the service is served under. */
export function errorReply(error: unknown, path: string): Reply | undefined {
  const status = error instanceof ExpectedError ? statuses.get(error.name) : undefined;
  if (status === undefined) return retryName(error) === ThrottledError.name ? busy : undefined;
  const { message } = error as ExpectedError;
  return {
    status,
    body: { error: message, ...details(error) },
    headers: headersOf(error, status, path),
  };
}

function headersOf(error: unknown, status: number, path: string): NonNullable<Reply['headers']> {
  // The list of chains names the address to delegate to.
  if (error instanceof DelegationInactiveError) {
    return { Link: `<${path.replace(/\/attestations$/, '/chains')}>; rel="help"` };
  }
  if (error instanceof LimitReachedError && error.retryAfterSeconds !== undefined) {
    return { 'Retry-After': String(error.retryAfterSeconds) };
  }
  return status === 429 || status === 503 ? retrySoon : {};
}

function details(error: unknown): object {
  if (error instanceof RequestInvalidError) return { issues: error.issues };
  const ofChain = error instanceof DelegationInactiveError || error instanceof ContentRevokedError;
  return ofChain ? { chainId: error.chainId } : {};
}

/** Reply to an error that is not expected. */
export const unforeseen: Reply = { status: 500, body: { error: 'internal error' } };
