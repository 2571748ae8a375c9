import { once } from 'node:events';
import { createServer, type IncomingMessage, request as open, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 300;

export interface PatientProxy {
  /** Stands for the target's. */
  readonly url: string;
  close(): Promise<void>;
}

interface Answered {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Path, headers and body as they came: what is malformed must stay so. */
async function send(
  target: URL,
  { method, url, rawHeaders }: IncomingMessage,
  body: Buffer,
): Promise<Answered> {
  const { hostname, port } = target;
  const headers = rawHeaders.map((text, at) =>
    rawHeaders[at - 1]?.toLowerCase() === 'host' ? target.host : text,
  );
  const sent = open({ hostname, port, method, path: url, headers, setHost: false });
  sent.end(body);
  const [head] = (await once(sent, 'response')) as [IncomingMessage];
  return { head, body: await bytesOf(head) };
}

/** The emulator's own refusal, for want of a free function; on AWS the gateway would give it the service's form. */
function isOverloaded({ head, body }: Answered): boolean {
  return head.statusCode === 429 && body.includes('ConcurrentInvocationLimitExceeded');
}

async function pass(target: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bytesOf(request);
  let answered = await send(target, request, body);
  while (isOverloaded(answered)) {
    await pause(pauseMs);
    answered = await send(target, request, body);
  }
  const { head } = answered;
  response.writeHead(head.statusCode ?? 502, head.rawHeaders);
  response.end(answered.body);
}

/** Stands before a local stack, and comes again when the emulator has no function free, as any client should. */
export async function startPatientProxy(target: string): Promise<PatientProxy> {
  const server = createServer((request, response) => {
    pass(new URL(target), request, response).catch((error: Error) => response.destroy(error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
