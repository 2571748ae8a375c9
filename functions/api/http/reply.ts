import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Attestations are private to their organisation, and may change until they are terminal. */
export const everyReply = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' };

export function present({ status, body, headers }: Reply, requestId: string): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: { ...everyReply, ...headers, 'x-request-id': requestId },
    // 204 and 304 have no body.
    body: body === undefined ? '' : JSON.stringify(body),
  };
}

/** A strong entity tag: it changes with the text. */
export function entityTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` names the tag: weak comparison, as RFC 9110 (13.1.2) asks for. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(etag);
}
