import {
  type Answer,
  type Fields,
  fieldsOf,
  linkTarget,
  retryAfterSeconds,
  unusableAnswer,
} from './answer.ts';
import type { Connection } from './connection.ts';
import {
  ApiKeyInvalidError,
  ArgumentInvalidError,
  AttestationUnconfirmedError,
  ConnectionFailedError,
  ContentRevokedError,
  DelegationInactiveError,
  NotFoundError,
  RateLimitedError,
  type Refusal,
  RefusalError,
  RequestInvalidError,
  RequestTooLargeError,
  ServiceUnavailableError,
} from './errors.ts';
import type { RequestIssue } from './shapes.ts';
import { TimeLimitError, withTimeout } from './time.ts';

export interface ApiRequest {
  /** Path after `/v1/`, including the query. */
  readonly path: string;
  /** Body of a POST; without it, the request is a GET. */
  readonly body?: object;
  /** ETag of the known answer. If the answer is unchanged, the service returns 304. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends the request once. Resolves on success, and on a 304 if an ETag was sent.
 * @throws RefusalError, ConnectionFailedError, AnswerUnusableError, ArgumentInvalidError, or the signal's reason
 */
export async function sendRequest(connection: Connection, request: ApiRequest): Promise<Answer> {
  const url = `${connection.baseUrl}/v1/${request.path}`;
  const answer = await receive(connection, url, request);
  const { status, body } = answer;
  if (status >= 400) throw refusalOf(answer, connection.clock.now());
  const isUnchanged = status === 304 && request.etag !== undefined;
  // In browsers, a redirect has status 0.
  const isSuccess = (status === 200 || status === 202) && typeof body === 'object' && body !== null;
  if (!isUnchanged && !isSuccess) throw unusableAnswer(answer);
  return answer;
}

async function receive({ apiKey, fetch, timeoutSeconds }: Connection, url: string, request: ApiRequest) {
  const { etag, signal: callerSignal } = request;
  const body = request.body && toJson(request.body);
  try {
    return await withTimeout(timeoutSeconds, callerSignal, async (signal) => {
      const response = await fetch(url, {
        signal,
        // Following a 301, 302 or 303 would turn a POST into a GET.
        redirect: 'manual',
        credentials: 'omit',
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { method: 'POST', body }),
      });
      const { status, headers } = response;
      return { url, status, headers, body: parseJson(await response.text()) };
    });
  } catch (cause) {
    callerSignal?.throwIfAborted();
    throw new ConnectionFailedError(`no answer from ${new URL(url).origin}${reasonOf(cause)}`, { cause });
  }
}

/** @throws ArgumentInvalidError for a value that JSON cannot represent */
function toJson(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new ArgumentInvalidError(
      'the request cannot be written as JSON; check it for a BigInt or a cycle',
      {
        cause,
      },
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Node sets the system's error code on the cause. Browsers give no reason. */
function reasonOf(error: unknown): string {
  if (error instanceof TimeLimitError) return `: ${error.message}`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}

const errorClasses = new Map<number, new (refusal: Refusal) => RefusalError>([
  [401, ApiKeyInvalidError],
  [404, NotFoundError],
  [413, RequestTooLargeError],
  [429, RateLimitedError],
]);

/** Creates the error for an error status. Only this function maps statuses to classes. */
function refusalOf(answer: Answer, nowMs: number): RefusalError {
  const fields = fieldsOf(answer.body);
  const refusal: Refusal = {
    status: answer.status,
    message: typeof fields.error === 'string' ? fields.error : `the service returned HTTP ${answer.status}`,
    requestId: answer.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(answer, nowMs),
  };
  if (answer.status >= 500) return new ServiceUnavailableError(refusal);
  if (answer.status === 400) return new RequestInvalidError(refusal, issuesOf(fields));
  if (answer.status === 409) return conflictOf(refusal, fields, answer);
  return new (errorClasses.get(answer.status) ?? RefusalError)(refusal);
}

/**
 * Creates the error for a conflict. Only a conflict about a chain has a `chainId`. Among those with it, and among those
 * without it, only the message distinguishes conflicts.
 */
function conflictOf(refusal: Refusal, { chainId }: Fields, answer: Answer): RefusalError {
  if (typeof chainId !== 'number')
    return refusal.message.startsWith('attestation not yet confirmed')
      ? new AttestationUnconfirmedError(refusal)
      : new RefusalError(refusal);
  if (!refusal.message.startsWith('no active delegation')) return new ContentRevokedError(refusal, chainId);
  const help = linkTarget(answer, 'help');
  return new DelegationInactiveError(refusal, chainId, help && new URL(help, answer.url).href);
}

function issuesOf({ issues }: Fields): RequestIssue[] {
  const isIssue = ({ path, message }: Fields) => Array.isArray(path) && typeof message === 'string';
  return Array.isArray(issues) ? issues.filter((issue) => isIssue(fieldsOf(issue))) : [];
}
