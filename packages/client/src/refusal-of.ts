import { type Answer, type Fields, fieldsOf } from './answer.ts';
import { linkTarget } from './link-header.ts';
import {
  ApiKeyInvalidError,
  AttestationUnconfirmedError,
  ContentRevokedError,
  DelegationInactiveError,
  NotFoundError,
  RateLimitedError,
  type Refusal,
  RefusalError,
  RequestInvalidError,
  RequestTooLargeError,
  ServiceUnavailableError,
} from './refusals.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { RequestIssue } from './shapes.ts';

/** Makes the error for an answer other than success; the only place that maps statuses to classes. */
export function refusalOf(answer: Answer, nowMs: number): RefusalError {
  const fields = fieldsOf(answer.body);
  const refusal: Refusal = {
    status: answer.status,
    message: typeof fields.error === 'string' ? fields.error : `the service answered ${answer.status}`,
    requestId: answer.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(answer.headers, nowMs),
  };
  if (answer.status >= 500) return new ServiceUnavailableError(refusal);
  if (answer.status === 400) return new RequestInvalidError(refusal, issuesOf(fields));
  if (answer.status === 409) return conflictOf(refusal, fields, answer);
  return new (classes.get(answer.status) ?? RefusalError)(refusal);
}

const classes = new Map<number, new (refusal: Refusal) => RefusalError>([
  [401, ApiKeyInvalidError],
  [404, NotFoundError],
  [413, RequestTooLargeError],
  [429, RateLimitedError],
]);

/** A conflict about a chain names the chain; only its message tells the two kinds apart. */
function conflictOf(refusal: Refusal, { chainId }: Fields, { headers, url }: Answer): RefusalError {
  if (typeof chainId !== 'number') return new AttestationUnconfirmedError(refusal);
  if (!refusal.message.startsWith('no active delegation')) return new ContentRevokedError(refusal, chainId);
  const help = linkTarget(headers.get('link'), 'help');
  return new DelegationInactiveError(refusal, chainId, help && new URL(help, url).href);
}

function issuesOf({ issues }: Fields): RequestIssue[] {
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

function isIssue(issue: unknown): issue is RequestIssue {
  const { path, message } = fieldsOf(issue);
  return Array.isArray(path) && typeof message === 'string';
}
