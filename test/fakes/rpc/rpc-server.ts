import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

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
  readonly #answer: (request: Request) => Reply | Promise<Reply>;
  #server: LoopbackServer | undefined;

  /** @param answer returns an answer, a text to send instead of JSON, or `undefined` to never answer */
  constructor(answer: (request: Request) => Reply | Promise<Reply>) {
    this.#answer = answer;
  }

  async start(): Promise<string> {
    this.#server = await startLoopbackServer((incoming, outgoing) => this.#serve(incoming, outgoing));
    return `${this.#server.url}/secret-key`;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body: Request | Request[] = JSON.parse(await text(incoming));
    const requests = [body].flat();
    this.requests.push(requests.map(({ method }) => method));
    const answers = await Promise.all(requests.map((request) => this.#answer(request)));
    if (answers.includes(undefined)) return;
    const raw = answers.find((one) => typeof one === 'string');
    if (raw !== undefined) return void outgoing.end(raw);
    const replies = requests.map(({ id }, position) => ({
      jsonrpc: '2.0',
      id,
      ...(answers[position] as object),
    }));
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
  }
}
