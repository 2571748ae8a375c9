import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { verifyWebhook } from '../../../integrations/webhooks/verify.js';
import { startLoopbackServer } from '../../fakes/rpc/loopback-server.ts';
import { admin } from './admin.ts';
import type { Publisher } from './publisher.ts';

/** Receiver that records type and attestation ID of each event, and rejects everything else. */
export interface Receiver {
  readonly webhookId: string;
  readonly secret: string;
  readonly received: readonly string[];
  /** IDs of all requests, including refused ones. */
  readonly requested: readonly string[];
  /** Answers this many further requests with 503. */
  refuse(requests: number): void;
}

/** Starts a receiver with a webhook. It runs until the test ends. */
export async function receiveEvents({ organizationId }: Publisher): Promise<Receiver> {
  const received: string[] = [];
  const requested: string[] = [];
  let [secret, refusals] = ['', 0];
  const { url, close } = await startLoopbackServer(async (request, response) => {
    const body = await text(request);
    requested.push(String(request.headers['webhook-id']));
    if (refusals-- > 0) {
      response.writeHead(503).end();
      return;
    }
    const { type, data } = verifyWebhook(secret, request.headers, body);
    received.push(`${type} ${data.id}`);
    response.writeHead(204).end();
  });
  onTestFinished(close);
  const webhook = await admin('webhook', 'create', '--org', organizationId, '--url', url);
  secret = String(webhook.secret);
  const refuse = (requests: number) => {
    refusals = requests;
  };
  return { webhookId: String(webhook.id), secret, received, requested, refuse };
}

export async function waitForEvents(received: readonly string[], expected: readonly string[]): Promise<void> {
  while (!expected.every((event) => received.includes(event))) await pause(200);
}
