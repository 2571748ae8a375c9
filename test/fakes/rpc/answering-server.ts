import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { startLoopbackServer } from './loopback-server.ts';

/** Configuration of an AWS client for `answeringServer`, without retries. */
export const clientConfig = (endpoint: string) => ({
  ...{ endpoint, region: 'eu-west-1', maxAttempts: 1 },
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

export interface Reply {
  readonly status?: number;
  readonly body: string;
}

/** Starts a server on this machine that answers each body until the test ends. @returns its URL */
export async function answeringServer(
  answer: (body: string, request: IncomingMessage) => Reply,
): Promise<string> {
  const { url, close } = await startLoopbackServer(async (request, response) => {
    const { status = 200, body } = answer(await text(request), request);
    response.writeHead(status).end(body);
  });
  onTestFinished(close);
  return url;
}
