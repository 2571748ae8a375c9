import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { everyReply } from '../../functions/api/http/reply.ts';

/** Answers of the front door itself, in the form of those that API Gateway makes on AWS. */
export const refusals = {
  tooMany: { status: 429, error: 'rate limit exceeded', retryAfterSeconds: 1 },
  tooLarge: { status: 413, error: 'request body too large' },
  malformed: { status: 400, error: 'bad request' },
  starting: { status: 503, error: 'the local stack is starting; try again', retryAfterSeconds: 1 },
  unreachable: { status: 503, error: 'the emulator does not answer; try again', retryAfterSeconds: 1 },
} as const;

/** Sends an answer of the front door itself; ends the connection if another answer has begun. */
export function refuse(response: ServerResponse, refusal: (typeof refusals)[keyof typeof refusals]): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers = {
    ...everyReply,
    'x-request-id': randomUUID(),
    ...('retryAfterSeconds' in refusal && { 'Retry-After': refusal.retryAfterSeconds }),
  };
  response.writeHead(refusal.status, headers).end(JSON.stringify({ error: refusal.error }));
}
