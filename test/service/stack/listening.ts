import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that records requests until it is stopped. */
export interface Listening {
  readonly url: string;
  readonly heard: readonly string[];
  stop(): void;
}

/** Answers each request with what `answer` makes of its body. */
export async function listen(answer: (body: string) => string = () => ''): Promise<Listening> {
  const heard: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const body = Buffer.concat(parts).toString();
    heard.push(body);
    outgoing.end(answer(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, heard, stop: () => server.close() };
}
