import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';

/** Maximum concurrent requests: a quarter of the emulator's functions, so that the workflow can use the others. */
const maxConcurrent = 8;

/** Longest time of retries while no function is free, and the pause between them. */
const maxRetryMs = 60_000;
const pauseMs = 100;

/** Headers that apply to one connection only: RFC 9110, section 7.6.1. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** A request to forward, with its body. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly path: string;
  /** Alternating names and values, in their original order and case. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

interface Answer {
  readonly head: IncomingMessage;
  readonly body: AsyncIterable<Uint8Array> | readonly Uint8Array[];
  readonly isRefusal: boolean;
}

/** Drops the headers of one connection, and those in `dropped`. */
function dropHeaders(rawHeaders: readonly string[], ...dropped: string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (![...hopByHop, ...dropped].includes(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

/** LocalStack would parse and change the body of a form, the type that curl gives every body. The API ignores the type. */
const replaceFormType = (text: string, index: number, rawHeaders: readonly string[]) =>
  /^content-type$/i.test(rawHeaders[index - 1] ?? '') && /^application\/x-www-form-urlencoded\b/i.test(text)
    ? 'application/octet-stream'
    : text;

/** Forwards requests to the emulator in order, with limited concurrency. */
export class Forwarder {
  readonly #target: URL;
  readonly #agent: http.Agent;

  constructor(target: URL) {
    this.#target = target;
    const { Agent } = target.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ maxSockets: maxConcurrent });
  }

  get waiting(): number {
    return Object.values(this.#agent.requests).flat().length;
  }

  /** Forwards a request and its response with unchanged bodies. Waits while no function is free. */
  async forward(request: ForwardedRequest, response: ServerResponse): Promise<void> {
    const deadline = performance.now() + maxRetryMs;
    let answer = await this.#send(request);
    while (answer.isRefusal && performance.now() < deadline) {
      await pause(pauseMs, undefined, { signal: request.signal });
      answer = await this.#send(request);
    }
    const { head, body } = answer;
    response.sendDate = false;
    response.writeHead(head.statusCode ?? 502, head.statusMessage, dropHeaders(head.rawHeaders));
    await pipeline(body, response);
  }

  /** MiniStack throttles before it runs a function, so the proxy can repeat the request. LocalStack lets it wait. */
  async #send({ method, path, rawHeaders, body, signal }: ForwardedRequest): Promise<Answer> {
    const target = this.#target;
    const hasBody = rawHeaders.some((name) => /^(content-length|transfer-encoding)$/i.test(name));
    const length = hasBody ? ['Content-Length', String(body.length)] : [];
    const headers = [
      'Host',
      target.host,
      ...dropHeaders(rawHeaders, 'host', 'expect', 'content-length').map(replaceFormType),
      ...length,
      // With keep-alive, a connection may belong to an emulator that has stopped.
      'Connection',
      'close',
    ];
    const { request } = target.protocol === 'https:' ? https : http;
    const sent = request({
      ...urlToHttpOptions(target),
      // A URL could normalize the path.
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
