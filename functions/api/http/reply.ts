import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Attestations are private and may change. Browsers must use https and not guess types. */
export const commonHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
};

export function toResult({ status, body, headers }: Reply, requestId: string): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: { ...commonHeaders, ...headers, 'x-request-id': requestId },
    // 204 and 304 have no body.
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

export function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` contains the tag, by weak comparison as in RFC 9110 (13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}
