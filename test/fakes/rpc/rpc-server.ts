import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** A result, or an error in the form of JSON-RPC. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { code: number; message: string; data?: unknown } };
type Reply = Answer | string | undefined;

/** A provider on a free port of the loopback, with a secret in its path. */
export class RpcServer {
  /** The HTTP requests received, each with the methods in it. */
  readonly requests: string[][] = [];
  readonly #server: Server;

  /** @param answer gives an answer, a text to send instead of JSON, or nothing to never answer */
  constructor(answer: (request: Request) => Reply | Promise<Reply>) {
    this.#server = createServer(async (incoming, outgoing) => {
      const body: Request | Request[] = JSON.parse(await text(incoming));
      const requests = Array.isArray(body) ? body : [body];
      this.requests.push(requests.map(({ method }) => method));
      const answers = await Promise.all(
        requests.map(async (request) => ({ request, answer: await answer(request) })),
      );
      if (answers.some((one) => one.answer === undefined)) return;
      const raw = answers.find((one) => typeof one.answer === 'string')?.answer;
      if (typeof raw === 'string') return void outgoing.end(raw);
      const replies = answers.map((one) => ({
        jsonrpc: '2.0',
        id: one.request.id,
        ...(one.answer as object),
      }));
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/secret-key`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
