import { once } from 'node:events';
import { type IncomingMessage, request as open, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type LoopbackProxy, startLoopbackProxy } from '../../local/process/loopback-proxy.ts';

const pauseMs = 300;

interface Answered {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** Path, headers and body are passed on unchanged: malformed ones must stay malformed. */
async function send(
  target: URL,
  { method, url, rawHeaders }: IncomingMessage,
  body: Buffer,
): Promise<Answered> {
  const { hostname, port } = target;
  const headers = rawHeaders.map((text, at) =>
    rawHeaders[at - 1]?.toLowerCase() === 'host' ? target.host : text,
  );
  const sent = open({ hostname, port, method, path: url, headers, setHost: false });
  sent.end(body);
  const [head] = (await once(sent, 'response')) as [IncomingMessage];
  return { head, body: await buffer(head) };
}

/** The emulator's own refusal when no function is free; on AWS the gateway would give it the service's form. */
function isOverloaded({ head, body }: Answered): boolean {
  return head.statusCode === 429 && body.includes('ConcurrentInvocationLimitExceeded');
}

async function pass(target: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  let answered = await send(target, request, body);
  while (isOverloaded(answered)) {
    await pause(pauseMs);
    answered = await send(target, request, body);
  }
  const { head } = answered;
  response.writeHead(head.statusCode ?? 502, head.rawHeaders);
  response.end(answered.body);
}

/**
 * Starts a proxy before a local stack that tries again when the emulator has no function free, as any client should.
 */
export function startPatientProxy(target: string): Promise<LoopbackProxy> {
  return startLoopbackProxy((request, response) => pass(new URL(target), request, response));
}
