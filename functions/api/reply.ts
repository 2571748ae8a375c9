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
