import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** Reply of a route, before it is serialized. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Headers of every reply: attestations are private and may change until they are terminal; browsers must use https and
 * not guess types.
 */
export const everyReply = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
};

/** Serialises a reply for API Gateway. */
export function present({ status, body, headers }: Reply, requestId: string): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: { ...everyReply, ...headers, 'x-request-id': requestId },
    // 204 and 304 have no body.
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

/** Computes the strong entity tag of a text. */
export function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` contains the tag, by weak comparison as in RFC 9110 (13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}
