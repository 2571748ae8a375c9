import { type Answer, unusable } from './answer.ts';
import type { Connection } from './connection.ts';
import { ArgumentInvalidError, ConnectionFailedError } from './errors.ts';
import { refusalOf } from './refusal-of.ts';
import { TimeLimitError, withTimeout } from './with-timeout.ts';

/** A request of the API. */
export interface Ask {
  /** Path after `/v1/`, with the query. */
  readonly path: string;
  /** Body of a POST; a request without one is a GET. */
  readonly body?: object;
  /** ETag of the known answer: an unchanged answer is a 304. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends the request once. Resolves on success, and on a 304 where an ETag was sent.
 * @throws RefusalError, ConnectionFailedError, AnswerUnusableError, ArgumentInvalidError, or the signal's reason
 */
export async function exchange(connection: Connection, ask: Ask): Promise<Answer> {
  const url = `${connection.baseUrl}/v1/${ask.path}`;
  const answer = await receive(connection, url, ask);
  if (answer.status >= 400) throw refusalOf(answer, connection.clock.now());
  const isUnchanged = answer.status === 304 && ask.etag !== undefined;
  if (!isUnchanged && !isSuccess(answer)) throw unusable(answer);
  return answer;
}

/** A redirect has status 0 in a browser. */
function isSuccess({ status, body }: Answer): boolean {
  return (status === 200 || status === 202) && typeof body === 'object' && body !== null;
}

async function receive(
  { apiKey, fetch, timeoutSeconds }: Connection,
  url: string,
  ask: Ask,
): Promise<Answer> {
  const { etag, signal: caller } = ask;
  const body = ask.body && jsonOf(ask.body);
  try {
    return await withTimeout(timeoutSeconds, caller, async (signal) => {
      const response = await fetch(url, {
        signal,
        // Following a redirect would turn a POST into a GET.
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
      return { url, status, headers, body: parsed(await response.text()) };
    });
  } catch (cause) {
    caller?.throwIfAborted();
    throw new ConnectionFailedError(`no answer from ${new URL(url).origin}${reason(cause)}`, { cause });
  }
}

/** @throws ArgumentInvalidError for a value without a form in JSON, a BigInt or a cycle */
function jsonOf(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new ArgumentInvalidError('the request cannot be written as JSON: has it a BigInt or a cycle?', {
      cause,
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Node has the system's error code on the cause; browsers give no reason. */
function reason(error: unknown): string {
  if (error instanceof TimeLimitError) return `: ${error.message}`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
