import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Forwarder } from './forward.ts';
import { closeServers, gatewayHeaders, listenOnLoopback } from './listen.ts';

/** Maximum number of waiting requests, whose bodies are in memory. */
const maxWaiting = 512;

/** API Gateway's maximum body size, in bytes. */
const maxBodyBytes = 10_485_760;

/** The proxy's own responses, in the format of API Gateway. */
const refusals = {
  tooMany: { status: 429, error: 'rate limit exceeded', retryAfterSeconds: 1 },
  tooLarge: { status: 413, error: 'request body too large' },
  malformed: { status: 400, error: 'bad request' },
  starting: { status: 503, error: 'the local stack is starting; try again', retryAfterSeconds: 1 },
  unreachable: { status: 503, error: 'the emulator does not respond; try again', retryAfterSeconds: 1 },
} as const;

/** Sends one of the proxy's own responses. If another response has begun, closes the connection instead. */
function sendRefusal(response: ServerResponse, refusal: (typeof refusals)[keyof typeof refusals]): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers = {
    ...gatewayHeaders(),
    ...('retryAfterSeconds' in refusal && { 'Retry-After': refusal.retryAfterSeconds }),
  };
  response.writeHead(refusal.status, headers).end(JSON.stringify({ error: refusal.error }));
}

/** Reads a body to its end, because clients read the response only then. @returns `undefined` if it is too large */
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
 * Serves the API at a short loopback URL, instead of the long URL of the emulator. Paths with the stage's
 * prefix reach the same routes, because `Location` and `Link` contain it, as on AWS. Delays requests that the emulator
 * would throttle, for at most a minute, and rejects new ones while `maxWaiting` requests wait.
 */
export class ApiProxy {
  #servers: readonly Server[] = [];
  #api: { readonly forwarder: Forwarder; readonly stagePath: string } | undefined;

  /** Listens on a loopback port, by default the first free one from 4800; 0 is any free port. Before `forwardTo`, requests get 503. */
  async listen(port: number | undefined): Promise<string> {
    const { servers, url } = await listenOnLoopback(port, (request, response) =>
      this.#handle(request, response),
    );
    this.#servers = servers;
    return url;
  }

  /** Forwards requests to an API at `url` from now on. @param stagePath path of its stage on AWS: `/live` */
  forwardTo(url: string, stagePath: string): void {
    this.#api = { forwarder: new Forwarder(new URL(url)), stagePath };
  }

  async close(): Promise<void> {
    const servers = this.#servers;
    this.#servers = [];
    await closeServers(servers);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const disconnected = new AbortController();
    response.on('close', () => disconnected.abort());
    try {
      const { method = 'GET', url = '/', rawHeaders } = request;
      if (!this.#api) return sendRefusal(response, refusals.starting);
      if (!url.startsWith('/')) return sendRefusal(response, refusals.malformed);
      const { forwarder, stagePath } = this.#api;
      // Read before queueing, so that a slow client does not block others.
      const body = await readBody(request);
      if (body === undefined) return sendRefusal(response, refusals.tooLarge);
      if (forwarder.waiting >= maxWaiting) return sendRefusal(response, refusals.tooMany);
      const path = withoutPrefix(url, stagePath);
      await forwarder.forward({ method, path, rawHeaders, body, signal: disconnected.signal }, response);
    } catch {
      if (!disconnected.signal.aborted) sendRefusal(response, refusals.unreachable);
    }
  }
}

function withoutPrefix(url: string, prefix: string): string {
  return url.startsWith(prefix) && /^[/?]?$/.test(url.charAt(prefix.length)) ? url.slice(prefix.length) : url;
}
