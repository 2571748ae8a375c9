import type { MiddlewareObj } from '@middy/core';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import {
  ApiKeyExpiredError,
  ApiKeyReadOnlyError,
  BodyTooLargeError,
  RequestInvalidError,
  type RequestIssue,
} from '../../domain/errors.ts';
import { authenticate, type Caller, type KeyUse } from '../../domain/organization/api-keys.ts';
import { RequestRate } from '../../domain/organization/request-rate.ts';
import type { Records } from '../../domain/records.ts';
import type { Clock, Log } from '../../domain/services.ts';
import { issueMessage } from '../bodies/issue-message.ts';
import { corsHeaders } from './cors.ts';
import { deployedSettings } from './deployed-settings.ts';
import { errorReply, internalErrorReply } from './error-reply.ts';
import { type Reply, toResult } from './reply.ts';

/** Maximum in bytes. Lambda accepts 6 MB with base64. 1 MiB of content fits unless most of it is control characters. */
const maxBodyBytes = 4_400_000;

const maxIssues = 20;

/** A byte order mark is kept like other characters. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** For this number of days before a key expires, each of its requests logs a warning. */
const expiresSoonDays = 14;

interface CallerContext extends Context {
  caller: Caller & KeyUse;
}

type Middleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallerContext>;
type MiddlewareFn = NonNullable<Middleware['after']>;

export interface RouteDefinition {
  readonly records: Records;
  readonly log: Log;
  readonly now?: Clock;
  /** What the API key has to allow. Every key allows `read`. */
  readonly access: 'read' | 'attest';
  /** Applies setting changes; absent where the route uses none. */
  readonly refresh?: () => Promise<void>;
  /** Runs the handler while the request is counted. The handler only reads, or awaits `admitted` before it writes. */
  readonly countsConcurrently?: boolean;
  /** @param admitted rejects for a refused request, whose answer is discarded */
  readonly handle: (
    event: APIGatewayProxyEvent,
    caller: Caller & KeyUse,
    admitted: Promise<void>,
  ) => Promise<Reply>;
}

export function route({
  records,
  log,
  now = () => new Date(),
  access,
  refresh,
  countsConcurrently = false,
  handle,
}: RouteDefinition) {
  const { rate: limits, corsOrigins = [] } = deployedSettings();
  const rate = limits && new RequestRate(records, limits, log);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallerContext>()
    .use(accessLog(log, now))
    .use(crossOrigin(corsOrigins))
    .use(errorPresenter(log))
    .use(authentication(records, now))
    .use(authorization(access))
    .handler(async (event, { caller }) => {
      // After authentication: only requests with a valid key count toward a publisher's rate.
      const isRefused = rate?.isUsedUp(caller, now()) ?? false;
      const admitted = Promise.resolve(rate?.admit(caller, now()));
      const pending = (async () => {
        if (isRefused || !countsConcurrently) await admitted;
        await refresh?.();
        return await handle(event, caller, admitted);
      })();
      const [admission] = await Promise.allSettled([admitted, pending]);
      if (admission.status === 'rejected') throw admission.reason;
      return toResult(await pending, requestIdOf(event));
    });
}

function requestIdOf({ requestContext }: APIGatewayProxyEvent): string {
  return requestContext.requestId;
}

/** Logs who sent a request, and a near expiry of the key. The gateway logs the rest under the same ID. */
function accessLog(log: Log, now: Clock): Middleware {
  const write: MiddlewareFn = ({ event, context: { caller }, response }) => {
    if (!caller) return;
    const { organizationId, keyId, expiresAt } = caller;
    const { httpMethod: method, resource } = event;
    const request = { requestId: requestIdOf(event), method, resource, status: response?.statusCode };
    log.info('request answered', { ...request, organizationId, keyId });
    const soon = now().getTime() + expiresSoonDays * 86_400_000;
    if (expiresAt !== undefined && Date.parse(expiresAt) <= soon)
      log.warn('API key expires soon', { organizationId, keyId, expiresAt });
  };
  return { after: write, onError: write };
}

/** Adds CORS headers. It encloses the error presenter, so that pages may read errors too. */
function crossOrigin(origins: readonly string[]): Middleware {
  const addHeaders: MiddlewareFn = ({ event, response }) => {
    if (!response) return;
    response.headers = { ...response.headers, ...corsHeaders(origins, headerOf(event, 'origin')) };
  };
  return { after: addHeaders, onError: addHeaders };
}

function authentication(records: Records, now: Clock): Middleware {
  return {
    before: async ({ event, context }) => {
      context.caller = await authenticate(records, apiKeyOf(event), now());
    },
  };
}

/** Refuses read-only keys on routes that attest. */
function authorization(access: RouteDefinition['access']): Middleware {
  return {
    before: ({ context: { caller } }) => {
      if (access === 'attest' && caller.readOnly) throw new ApiKeyReadOnlyError();
    },
  };
}

function apiKeyOf(event: APIGatewayProxyEvent): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headerOf(event, 'authorization') ?? '');
  return bearer?.[1] ?? headerOf(event, 'x-api-key');
}

/** Returns the path as the client sent it, with the stage, for links that work for the client. */
export function pathOf({ requestContext }: APIGatewayProxyEvent): string {
  return requestContext.path.replace(/\/+$/, '');
}

/** Returns the header with this lower-case name, in whatever case it was sent. */
export function headerOf({ headers }: APIGatewayProxyEvent, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([sent]) => sent.toLowerCase() === name)?.[1];
}

function errorPresenter(log: Log): Middleware {
  return {
    onError: (request) => {
      const requestId = requestIdOf(request.event);
      const reply = errorReply(request.error, pathOf(request.event));
      if (!reply || reply.status >= 500) log.error('request failed', request.error, { requestId });
      const { error } = request;
      const subject = error instanceof ApiKeyExpiredError ? error.subject : {};
      if (reply?.status === 401) log.warn('request not authenticated', { requestId, ...subject });
      request.response = toResult(reply ?? internalErrorReply, requestId);
    },
  };
}

/** Parses a request body. @throws RequestInvalidError with the first 20 issues, BodyTooLargeError */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  event: APIGatewayProxyEvent,
): z.output<Schema> {
  return parse(schema, jsonObject(textOf(event)));
}

/** Returns the body as sent. @throws RequestInvalidError when it is not UTF-8, BodyTooLargeError */
export function textOf({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBodyBytes) throw new BodyTooLargeError();
  try {
    return utf8.decode(bytes);
  } catch {
    throw new RequestInvalidError([{ path: [], message: 'the body must be UTF-8' }]);
  }
}

function jsonObject(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Malformed JSON and a value that is not an object get the same answer.
  }
  throw new RequestInvalidError([{ path: [], message: 'the body must be a JSON object' }]);
}

/** Parses a value of a request. @throws RequestInvalidError with the first 20 issues */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: issueMessage });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }));
  throw new RequestInvalidError(limitIssues(issues));
}

function limitIssues(issues: readonly RequestIssue[]): readonly RequestIssue[] {
  if (issues.length <= maxIssues) return issues;
  const message = `and ${issues.length - maxIssues} more`;
  return [...issues.slice(0, maxIssues), { path: [], message }];
}
