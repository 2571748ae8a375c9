import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Configuration of an AWS client for that server, without retries. */
export const clientOf = (endpoint: string) => ({
  ...{ endpoint, region: 'eu-west-1', maxAttempts: 1 },
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

export interface Reply {
  readonly status?: number;
  readonly body: string;
}

/** A server on this machine that answers each body it is sent, for as long as the test runs; its URL. */
export async function answeringServer(
  answer: (body: string, request: IncomingMessage) => Reply,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status = 200, body } = answer(Buffer.concat(chunks).toString(), request);
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A URL where nobody listens: its port was free a moment ago. */
export async function silentUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
