import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Attestation, type ClientOptions, type Clock, ImprimaturClient } from '../src/imprimatur.ts';

export const id = '01930000-0000-7000-8000-000000000001';
export const childId = '01930000-0000-7000-8000-000000000002';

export function attestation(fields: Partial<Attestation> = {}): Attestation {
  return {
    id,
    chainId: 31337,
    registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381',
    authorityAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    contentCid: 'bafkreifzjut3te7nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
    status: 'pending',
    error: null,
    childAttestationId: null,
    childLinkTxHash: null,
    createdAt: '2026-11-21T12:00:00.000Z',
    ...fields,
  };
}

export const confirmed: Partial<Attestation> = {
  status: 'confirmed',
  commitTxHash: `0x${'c1'.repeat(32)}`,
  revealTxHash: `0x${'e1'.repeat(32)}`,
  attestationIndex: 7,
  confirmedAt: '2026-11-21T12:02:00.000Z',
};

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A status with a body (JSON unless it is a string) and headers; or a closed or unanswered connection. */
export type FakeAnswer =
  | 'hang up'
  | 'say nothing'
  | readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

export interface FakeApi {
  readonly url: string;
  readonly received: Received[];
}

/** Starts a local server for the duration of the test. @returns its port */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that returns these answers in turn, and repeats the last one. */
export async function fakeApi(...answers: readonly FakeAnswer[]): Promise<FakeApi> {
  const received: Received[] = [];
  const port = await serve(async (request, response) => {
    const body = await textOf(request);
    const { method, url, headers } = request;
    const answer = answers[Math.min(received.length, answers.length - 1)] ?? 'hang up';
    received.push({ method, url, headers, body });
    if (answer === 'say nothing') return;
    if (answer === 'hang up') return void request.socket.destroy();
    const [status, content, extra] = answer;
    response.writeHead(status, extra).end(typeof content === 'string' ? content : JSON.stringify(content));
  });
  return { url: `http://127.0.0.1:${port}`, received };
}

/** A clock on which waiting takes no time. It records the waits. */
export class FakeTime implements Clock {
  readonly slept: number[] = [];
  #nowMs = Date.parse('2026-11-21T12:00:00Z');

  now(): number {
    return this.#nowMs;
  }

  async sleep(seconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(seconds);
    this.#nowMs += seconds * 1000;
  }
}

export const apiKey = 'imp_test_0123456789abcdefghijABCDEFGHIJKL';

/** A client of a fake API, without real waiting. */
export function clientOf({ url }: FakeApi, options: Partial<ClientOptions> = {}) {
  const clock = new FakeTime();
  const client = new ImprimaturClient({ url, apiKey, clock, random: () => 0, ...options });
  return { client, clock };
}
