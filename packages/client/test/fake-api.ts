import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it arrived. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What is answered: a status, a body (JSON unless it is a string), headers; or the connection is cut, or left open. */
export type FakeAnswer =
  | 'hang up'
  | 'say nothing'
  | readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

export interface FakeApi {
  readonly url: string;
  readonly received: Received[];
}

/** An HTTP server on this machine that gives these answers in turn, the last one for ever; it ends with the test. */
export async function fakeApi(...answers: readonly FakeAnswer[]): Promise<FakeApi> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const { method, url, headers } = request;
    const answer = answers[Math.min(received.length, answers.length - 1)] ?? 'hang up';
    received.push({ method, url, headers, body });
    if (answer === 'say nothing') return;
    if (answer === 'hang up') {
      request.socket.destroy();
      return;
    }
    const [status, content, more] = answer;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    response.writeHead(status, more).end(text);
  });
  return { url: await listening(server), received };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
