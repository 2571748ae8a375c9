import * as errors from '../../domain/errors.ts';
import { errorReply, internalErrorReply } from '../http/error-reply.ts';
import type { Reply } from '../http/reply.ts';
import { article, chainId } from './examples.ts';

const invalid = (path: string[], message: string) => new errors.RequestInvalidError([{ path, message }]);

export const refusals = {
  invalidField: invalid(['content'], 'must not be empty'),
  misspelledField: invalid(['chain_id'], 'did you mean chainId?'),
  noObject: invalid([], 'the body must be a JSON object'),
  invalidChild: invalid(['childAttestationId'], 'must be a UUID'),
  invalidPassage: invalid(['passage'], 'must be a text, or a list of 1 to 1000 texts'),
  invalidLimit: invalid(['limit'], 'must be an integer from 1 to 200'),
  otherFilters: invalid(
    ['cursor'],
    'belongs to a list with other filters: send the same filters, or no cursor',
  ),
  noChain: new errors.ChainUnspecifiedError(),
  sameChild: new errors.ChildSameError(),
  invalidKey: new errors.ApiKeyInvalidError(),
  expiredKey: new errors.ApiKeyExpiredError('2026-01-31T00:00:00.000Z', { organizationId: '', keyId: '' }),
  readOnlyKey: new errors.ApiKeyReadOnlyError(),
  testKey: invalid(
    ['chainId'],
    'chain 1 is not a test chain, and this key is for test chains: use a live key',
  ),
  attestationMissing: new errors.AttestationMissingError(),
  childMissing: new errors.ChildMissingError(),
  noDelegation: new errors.DelegationInactiveError(chainId),
  revoked: new errors.ContentRevokedError(chainId),
  unconfirmed: new errors.AttestationUnconfirmedError('pending'),
  erased: new errors.AttestationUnquotableError('the content was erased'),
  otherRoot: new errors.AttestationUnquotableError(
    'the quote root in the registry does not match the text: no quote of it can be proven',
  ),
  passageMissing: new errors.PassageUnquotableError('the passage is not in the text'),
  tooLarge: new errors.BodyTooLargeError(),
  rateLimit: new errors.LimitReachedError(),
  chainUnreachable: new errors.ChainUnreachableError(chainId),
  // DynamoDB's error under load.
  busy: Object.assign(new Error(), { name: 'ThrottlingException' }),
  internal: new Error(),
} as const;

/** Refusals of API Gateway, as configured by the stack. */
const gatewayRefusals = {
  badRequest: { status: 400, body: { error: 'bad request' } },
  gatewayFailed: { status: 502, body: { error: 'internal error' } },
  gatewayTimeout: { status: 504, body: { error: 'internal error' } },
} as const satisfies Record<string, Reply>;

export type ErrorName = keyof typeof refusals | keyof typeof gatewayRefusals;

export function refusalReply(name: ErrorName): Reply {
  if (name in gatewayRefusals) return gatewayRefusals[name as keyof typeof gatewayRefusals];
  return errorReply(refusals[name as keyof typeof refusals], article.path) ?? internalErrorReply;
}
