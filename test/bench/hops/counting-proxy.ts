import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type LoopbackProxy, startLoopbackProxy } from '../../../local/process/loopback-proxy.ts';
import { askForUnits, consumedUnits, noUnits, type Units } from './consumed-units.ts';
import { describeRequest, type RequestKind } from './describe-request.ts';
import type { Interval } from './sequential-hops.ts';

/** An HTTP request that passed the proxy. */
export interface RecordedRequest extends RequestKind, Interval {
  readonly units: Units;
}

export interface ProxyOptions {
  /** Scheme, host and port to which requests are passed on. */
  readonly target: string;
  /** Delay added to every request, so that waiting outweighs computing. Read at each request. */
  readonly delayMs: () => number;
  readonly record: (request: RecordedRequest) => void;
}

/** Headers that belong to one connection, or that no longer fit the body. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
]);

function passedOn({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    ownHeaders.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function pass(
  options: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAtMs = performance.now();
  const body = await bodyOf(request);
  const kind = describeRequest(request.headers['x-amz-target'] as string | undefined, body);
  const counted = kind.service === 'DynamoDB';
  await pause(options.delayMs());
  const answer = await fetch(`${options.target}${request.url}`, {
    method: request.method ?? 'POST',
    headers: passedOn(request),
    body: counted ? askForUnits(body) : body,
  });
  const text = await answer.text();
  const units = counted ? consumedUnits(kind.operation, text) : noUnits;
  // Recorded before the answer leaves: the function's next request begins later.
  options.record({ ...kind, units, startedAtMs, endedAtMs: performance.now() });
  const contentType = answer.headers.get('content-type') ?? 'application/json';
  response.writeHead(answer.status, { 'content-type': contentType }).end(text);
}

/** Starts a proxy on loopback that passes requests on, and records when each began and ended. */
export function startCountingProxy(options: ProxyOptions): Promise<LoopbackProxy> {
  return startLoopbackProxy((request, response) => pass(options, request, response));
}
