import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { everyReply } from '../../functions/api/http/reply.ts';
import { Forwarder } from './forward.ts';
import { closeServers, listenOnLoopback } from './listen.ts';

/** Requests that may wait for their turn; a bound, because each holds its body in memory. */
const mayWait = 512;

/** API Gateway's limit of a body, in bytes. */
const maxBodyBytes = 10_485_760;

/** Answers of the front door itself, in the form of those that API Gateway makes on AWS. */
const refusals = {
  tooMany: { status: 429, error: 'rate limit exceeded', retryAfterSeconds: 1 },
  tooLarge: { status: 413, error: 'request body too large' },
  malformed: { status: 400, error: 'bad request' },
  starting: { status: 503, error: 'the local stack is starting; try again', retryAfterSeconds: 1 },
  unreachable: { status: 503, error: 'the emulator does not answer; try again', retryAfterSeconds: 1 },
} as const;

/** Sends an answer of the front door itself; ends the connection if another answer has begun. */
function refuse(response: ServerResponse, refusal: (typeof refusals)[keyof typeof refusals]): void {
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

/** Reads a body to its end: a client that still sends does not read the refusal. @returns undefined if it is too large */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes <= maxBodyBytes) parts.push(part);
  }
  return bytes > maxBodyBytes ? undefined : Buffer.concat(parts);
}

/**
 * One short address on loopback for the API, which an emulator serves below a long path. Paths with the stage's prefix
 * reach the same routes, because `Location` and `Link` have it, as on AWS. Requests wait their turn where the emulator
 * would refuse them.
 */
export class Door {
  #servers: readonly Server[] = [];
  #api: { readonly forwarder: Forwarder; readonly stagePath: string } | undefined;

  /**
   * Takes a port on loopback: this one, or else the first free one from 4800 on. Until `lead` requests are refused.
   * @returns the address.
   */
  async listen(port: number | undefined): Promise<string> {
    const { servers, url } = await listenOnLoopback(port, (request, response) =>
      this.#pass(request, response),
    );
    this.#servers = servers;
    return url;
  }

  /**
   * Leads to an API from now on.
   *
   * @param url address at which the emulator serves it
   * @param stagePath path of its stage on AWS: `/live`
   */
  lead(url: string, stagePath: string): void {
    this.#api = { forwarder: new Forwarder(new URL(url)), stagePath };
  }

  async close(): Promise<void> {
    const servers = this.#servers;
    this.#servers = [];
    await closeServers(servers);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    try {
      const { method = 'GET', url = '/', rawHeaders } = request;
      if (!this.#api) return refuse(response, refusals.starting);
      if (!url.startsWith('/')) return refuse(response, refusals.malformed);
      const { forwarder, stagePath } = this.#api;
      // Read before the turn comes: a slow client holds no place.
      const body = await readBody(request);
      if (body === undefined) return refuse(response, refusals.tooLarge);
      if (forwarder.waiting >= mayWait) return refuse(response, refusals.tooMany);
      const path = withoutPrefix(url, stagePath);
      await forwarder.forward({ method, path, rawHeaders, body, signal: gone.signal }, response);
    } catch {
      if (!gone.signal.aborted) refuse(response, refusals.unreachable);
    }
  }
}

function withoutPrefix(url: string, prefix: string): string {
  return url.startsWith(prefix) && /^[/?]?$/.test(url.charAt(prefix.length)) ? url.slice(prefix.length) : url;
}
