import { once } from 'node:events';
import { createServer, type IncomingMessage, request as open, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Door } from '../../../local/door/door.ts';

/** A port that was free a moment ago: tests must not depend on what else runs on the machine. */
export async function anyPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** Opens a door to an emulator that answers in this way; both end with the test. */
export async function doorTo(answer: RequestListener) {
  const emulator = createServer(answer);
  await once(emulator.listen(0, '127.0.0.1'), 'listening');
  const { port } = emulator.address() as AddressInfo;
  const door = new Door();
  const url = new URL(await door.listen(await anyPort()));
  door.lead(`http://127.0.0.1:${port}/restapis/abc/live/_user_request_`, '/live');
  onTestFinished(async () => {
    await door.close();
    emulator.close();
    emulator.closeAllConnections();
  });
  return { url, door, emulator, host: `127.0.0.1:${port}` };
}

interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
}

/** Sends one request on a connection of its own, path and headers as they are. */
export async function send(url: URL, path: string, { method = 'GET', headers = {}, body }: Sending = {}) {
  const sent = open({ hostname: url.hostname, port: url.port, method, path, headers, agent: false });
  sent.end(body);
  const [head] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of head) parts.push(part);
  const text = Buffer.concat(parts).toString('latin1');
  return { status: head.statusCode, reason: head.statusMessage, headers: head.rawHeaders, text };
}
