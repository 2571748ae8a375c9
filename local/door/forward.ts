import { once } from 'node:events';
import { type IncomingMessage, request as openHttp, type ServerResponse } from 'node:http';
import { request as openHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';

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
  /** The URL at which the emulator serves the API's route. */
  readonly target: URL;
  /** Path and query as the client sent them: `target` may have another spelling of them. */
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

/** The emulator refuses for load before it runs a function, so the same request may be sent again. */
async function send({ method, target, path, rawHeaders, body, signal }: Forwarded): Promise<Answer> {
  const hasBody = rawHeaders.some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = hasBody ? ['Content-Length', String(body.length)] : [];
  const headers = [
    'Host',
    target.host,
    ...endToEnd(rawHeaders, 'host', 'expect', 'content-length'),
    ...length,
  ];
  const open = target.protocol === 'https:' ? openHttps : openHttp;
  // A connection of its own: one that is kept may be of an emulator that has ended since.
  const sent = open({
    ...urlToHttpOptions(target),
    method,
    path,
    headers,
    setHost: false,
    agent: false,
    signal,
  });
  sent.end(body);
  const [head] = (await once(sent, 'response')) as [IncomingMessage];
  if (head.statusCode !== 429) return { head, body: head, isRefusal: false };
  const text = await buffer(head);
  return { head, body: [text], isRefusal: text.includes('ConcurrentInvocationLimitExceeded') };
}

/** Passes a request on to the emulator and its answer back, byte for byte; waits while no function is free. */
export async function forward(request: Forwarded, response: ServerResponse): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let answer = await send(request);
  while (answer.isRefusal && performance.now() < deadline) {
    await pause(pauseMs, undefined, { signal: request.signal });
    answer = await send(request);
  }
  const { head, body } = answer;
  response.sendDate = false;
  response.writeHead(head.statusCode ?? 502, head.statusMessage, endToEnd(head.rawHeaders));
  await pipeline(body, response);
}
