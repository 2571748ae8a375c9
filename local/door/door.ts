import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { forward } from './forward.ts';
import { closeServers, listenOnLoopback } from './listen.ts';
import { type Refusal, refusals, refuse } from './refuse.ts';
import { TurnRefusedError, Turns } from './turns.ts';

/** Requests passed on at once: half of the functions that the emulator runs, so that the workflow has the others. */
const atOnce = 8;

/** Requests that may wait beside them; a bound, because each holds its body in memory. */
const mayWait = 512;

/** API Gateway's limit of a body, in bytes. */
const maxBodyBytes = 10_485_760;

class BodyTooLargeError extends Error {}

/** Reads a body to its end: a client that still sends does not read the refusal. @throws BodyTooLargeError */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes <= maxBodyBytes) parts.push(part);
  }
  if (bytes > maxBodyBytes) throw new BodyTooLargeError();
  return Buffer.concat(parts);
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof TurnRefusedError) return refusals.tooMany;
  return error instanceof BodyTooLargeError ? refusals.tooLarge : refusals.unreachable;
}

/**
 * One short address on loopback for the API, which an emulator serves below a long path. Paths with the stage's prefix
 * reach the same routes, because `Location` and `Link` have it, as on AWS. Requests wait their turn where the emulator
 * would refuse them.
 */
export class Door {
  readonly #turns = new Turns(atOnce, mayWait);
  #servers: readonly Server[] = [];
  #api: { readonly url: string; readonly stagePath: string } | undefined;

  /**
   * Takes a port on loopback: this one, or else the first free one from 4800 on. Until `lead` requests are refused.
   * @returns the address. @throws PortTakenError
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
    this.#api = { url, stagePath };
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
      // Read before the turn comes: a slow client holds no place.
      const body = await readBody(request);
      const target = new URL(this.#api.url);
      const path = `${target.pathname}${withoutPrefix(url, this.#api.stagePath)}`;
      const forwarded = { method, target, path, rawHeaders, body, signal: gone.signal };
      await this.#turns.run(gone.signal, () => forward(forwarded, response));
    } catch (error) {
      if (!gone.signal.aborted) refuse(response, refusalOf(error));
    }
  }
}

function withoutPrefix(url: string, prefix: string): string {
  return url.startsWith(prefix) && /^[/?]?$/.test(url.charAt(prefix.length)) ? url.slice(prefix.length) : url;
}
