import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { everyReply } from '../../functions/api/http/reply.ts';
import { Forwarder } from './forward.ts';
import { closeServers, listenOnLoopback } from './listen.ts';

/** Longest queue of requests, whose bodies are in memory. */
const mayWait = 512;

/** API Gateway's limit of a body, in bytes. */
const maxBodyBytes = 10_485_760;

/** Responses of the proxy itself, in the shape of API Gateway's on AWS. */
const refusals = {
  tooMany: { status: 429, error: 'rate limit exceeded', retryAfterSeconds: 1 },
  tooLarge: { status: 413, error: 'request body too large' },
  malformed: { status: 400, error: 'bad request' },
  starting: { status: 503, error: 'the local stack is starting; try again', retryAfterSeconds: 1 },
  unreachable: { status: 503, error: 'the emulator does not respond; try again', retryAfterSeconds: 1 },
} as const;

/** Sends a response of the proxy itself, or closes the connection if another one has begun. */
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

/** Reads the whole body, because a client reads the response only after sending. @returns undefined if it is too large */
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
 * A short loopback URL for the API, which an emulator serves below a long path. Paths with the stage's prefix reach the
 * same routes, because `Location` and `Link` have it, as on AWS. Requests that the emulator would throttle wait.
 */
export class ApiProxy {
  #servers: readonly Server[] = [];
  #api: { readonly forwarder: Forwarder; readonly stagePath: string } | undefined;

  /** Listens on a loopback port, by default the first free one from 4800. Before `lead`, requests get 503. */
  async listen(port: number | undefined): Promise<string> {
    const { servers, url } = await listenOnLoopback(port, (request, response) =>
      this.#pass(request, response),
    );
    this.#servers = servers;
    return url;
  }

  /** Starts to forward to an API at `url`. @param stagePath path of its stage on AWS: `/live` */
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
      // Read before queueing, so that a slow client does not block others.
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
