import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';

/** Requests passed on at once: half of the functions that the emulator runs, so that the workflow has the others. */
const atOnce = 8;

/** Time for which a request is tried again while no function is free, and the pause between tries. */
const patienceMs = 60_000;
const pauseMs = 100;

/** Headers that are of one connection, not of the message: RFC 9110, section 7.6.1. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** A request to pass on, whose body has come. */
export interface Forwarded {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly path: string;
  /** Names and values in turn, in their order and case. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Signal that the client is gone. */
  readonly signal: AbortSignal;
}

interface Answer {
  readonly head: IncomingMessage;
  readonly body: AsyncIterable<Uint8Array> | readonly Uint8Array[];
  readonly isRefusal: boolean;
}

/** Drops the headers of one connection, and those named; keeps the others as they are. */
function endToEnd(rawHeaders: readonly string[], ...dropped: string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (![...hopByHop, ...dropped].includes(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** Passes requests on to the emulator: a number of them at once, the others in the order in which they came. */
export class Forwarder {
  readonly #target: URL;
  readonly #agent: http.Agent;

  /** @param target URL at which the emulator serves the API */
  constructor(target: URL) {
    this.#target = target;
    const { Agent } = target.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ maxSockets: atOnce });
  }

  /** Number of requests that wait for their turn. */
  get waiting(): number {
    return Object.values(this.#agent.requests).flat().length;
  }

  /** Passes a request on and its answer back, byte for byte; waits while no function is free. */
  async forward(request: Forwarded, response: ServerResponse): Promise<void> {
    const deadline = performance.now() + patienceMs;
    let answer = await this.#send(request);
    while (answer.isRefusal && performance.now() < deadline) {
      await pause(pauseMs, undefined, { signal: request.signal });
      answer = await this.#send(request);
    }
    const { head, body } = answer;
    response.sendDate = false;
    response.writeHead(head.statusCode ?? 502, head.statusMessage, endToEnd(head.rawHeaders));
    await pipeline(body, response);
  }

  /** The emulator refuses for load before it runs a function, so the same request may be sent again. */
  async #send({ method, path, rawHeaders, body, signal }: Forwarded): Promise<Answer> {
    const target = this.#target;
    const hasBody = rawHeaders.some((name) => /^(content-length|transfer-encoding)$/i.test(name));
    const length = hasBody ? ['Content-Length', String(body.length)] : [];
    const headers = [
      'Host',
      target.host,
      ...endToEnd(rawHeaders, 'host', 'expect', 'content-length'),
      ...length,
      // Each has a connection of its own: one that is kept may be of an emulator that has ended since.
      'Connection',
      'close',
    ];
    const { request } = target.protocol === 'https:' ? https : http;
    const sent = request({
      ...urlToHttpOptions(target),
      // Not a URL, which may have another spelling of the path.
      path: `${target.pathname}${path}`,
      ...{ method, headers, setHost: false, agent: this.#agent, signal },
    });
    sent.end(body);
    const [head] = (await once(sent, 'response')) as [IncomingMessage];
    if (head.statusCode !== 429) return { head, body: head, isRefusal: false };
    const text = await buffer(head);
    return { head, body: [text], isRefusal: text.includes('ConcurrentInvocationLimitExceeded') };
  }
}
