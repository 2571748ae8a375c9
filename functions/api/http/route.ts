import type { MiddlewareObj } from '@middy/core';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import {
  ApiKeyExpiredError,
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
import { present, type Reply } from './reply.ts';

/**
 * In bytes. Lambda takes 6 MB, with the body in base64 and the headers around it. 1 MiB of content fits in any escaping, unless it
 * consists of control characters alone.
 */
const maxBodyBytes = 4_400_000;

const mostIssues = 20;

/** A byte order mark is kept like any other character. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A key is logged from this time before it expires. */
const expiresSoonDays = 14;

interface CallerContext extends Context {
  caller: Caller & KeyUse;
}

type Middleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallerContext>;
type MiddlewareFn = NonNullable<Middleware['after']>;

/** Definition of a route behind authentication: its handler and the ports of its middleware. */
export interface RouteDefinition {
  readonly records: Records;
  readonly log: Log;
  readonly now?: Clock;
  /** Takes over settings that operators changed; absent where the route has no use for any. */
  readonly refresh?: () => Promise<void>;
  /** The request is counted while its handler runs, which only reads, or writes once it is admitted. */
  readonly countedBeside?: boolean;
  /** @param admitted rejects for a request that is refused, whose answer nobody gets */
  readonly handle: (
    event: APIGatewayProxyEvent,
    caller: Caller & KeyUse,
    admitted: Promise<void>,
  ) => Promise<Reply>;
}

/** Creates a route behind authentication, with replies and errors in the service's form. */
export function route({
  records,
  log,
  now = () => new Date(),
  refresh,
  countedBeside = false,
  handle,
}: RouteDefinition) {
  const { rate: limits, corsOrigins = [] } = deployedSettings();
  const rate = limits && new RequestRate(records, limits, log);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, CallerContext>()
    .use(accessLog(log, now))
    .use(crossOrigin(corsOrigins))
    .use(errorPresenter(log))
    .use(authentication(records, now))
    .handler(async (event, { caller }) => {
      // After authentication: only a request with a valid key counts, and no stranger uses up a publisher's rate.
      const isRefused = rate?.isUsedUp(caller, now()) ?? false;
      const admitted = Promise.resolve(rate?.admit(caller, now()));
      const answering = (async () => {
        if (isRefused || !countedBeside) await admitted;
        await refresh?.();
        return await handle(event, caller, admitted);
      })();
      const [admission] = await Promise.allSettled([admitted, answering]);
      if (admission.status === 'rejected') throw admission.reason;
      return present(await answering, requestIdOf(event));
    });
}

function requestIdOf({ requestContext }: APIGatewayProxyEvent): string {
  return requestContext.requestId;
}

/** Logs which organization made a request, with which key and when that expires, if soon. The gateway's log has the rest, under the same id. */
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

/** Runs first before the handler and last after it, so that pages may read errors as well. */
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

function apiKeyOf(event: APIGatewayProxyEvent): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headerOf(event, 'authorization') ?? '');
  return bearer?.[1] ?? headerOf(event, 'x-api-key');
}

/** Returns the path as the client sent it, the stage included, so that a link made from it works for the client. */
export function pathOf({ requestContext }: APIGatewayProxyEvent): string {
  return requestContext.path.replace(/\/+$/, '');
}

/** Returns the header with this lower-case name, regardless of the case in which the client wrote it. */
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
      const whose = error instanceof ApiKeyExpiredError ? error.subject : {};
      if (reply?.status === 401) log.warn('request not authenticated', { requestId, ...whose });
      request.response = present(reply ?? internalErrorReply, requestId);
    },
  };
}

/** Parses the body of a request. @throws RequestInvalidError naming every issue, BodyTooLargeError */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  event: APIGatewayProxyEvent,
): z.output<Schema> {
  return parse(schema, jsonObject(textOf(event)));
}

/** The body as it was sent: bytes that are not UTF-8 are not text. @throws RequestInvalidError, BodyTooLargeError */
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
    // Malformed and not an object are the same to the publisher.
  }
  throw new RequestInvalidError([{ path: [], message: 'the body must be a JSON object' }]);
}

/** Parses a value of a request. @throws RequestInvalidError naming every issue */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: issueMessage });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }));
  throw new RequestInvalidError(listed(issues));
}

/** A request may have any number of issues; the answer stays small. */
function listed(issues: readonly RequestIssue[]): readonly RequestIssue[] {
  if (issues.length <= mostIssues) return issues;
  const message = `and ${issues.length - mostIssues} more`;
  return [...issues.slice(0, mostIssues), { path: [], message }];
}
