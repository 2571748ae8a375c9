import { expect } from 'vitest';
import { generateApiKey } from '../../../../functions/domain/organization/api-keys.ts';
import { type ApiReply, type ApiRequest, call } from '../../../fakes/world/api-client.ts';
import type { Body, LifeModel, Publisher } from './life-model.ts';

/** All that a reply says. */
export interface Answer {
  readonly status: number;
  /** Without one, the reply has no body. */
  readonly body?: Body;
  /** Beside those that every reply has. */
  readonly headers?: Body;
}

/** Which key a request comes with: one that was issued, by its number, or none that ever was. */
export type KeyChoice = number | 'none' | 'mistyped' | 'unknown';

export interface Asking {
  readonly publisher: Publisher;
  readonly key: KeyChoice;
}

export const base = '/prod/v1/attestations';

const everyReply = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'x-request-id': expect.stringMatching(/^request-\d+$/),
};

/** Well-formed, its checksum right, and never issued. */
const neverIssued = generateApiKey('live', () => 0);

const refusedKey: Answer = { status: 401, body: { error: 'invalid or missing API key' } };

function keyOf({ publisher: { keys }, key }: Asking): { sent: string; accepted: boolean } {
  if (key === 'none') return { sent: '', accepted: false };
  if (key === 'unknown') return { sent: neverIssued, accepted: false };
  const issued = keys[key === 'mistyped' ? 0 : key % keys.length];
  if (!issued) throw new Error('an organisation without a key');
  if (key === 'mistyped') return { sent: `${issued.key.slice(0, -1)}_`, accepted: false };
  return { sent: issued.key, accepted: !issued.revoked };
}

/** What was answered in all lives so far, by its status and what it says. */
export const reached = new Set<string>();

function sayingOf({ status, body = {}, headers }: Answer): string {
  if (status === 429) return `${body.error}, again ${headers?.['Retry-After'] === '5' ? 'soon' : 'tomorrow'}`;
  if (status >= 400) return String(body.error);
  if (!body.childAttestationId) {
    return [body.status, body.error, body.revokedAt && 'revoked'].filter(Boolean).join(', ');
  }
  if (body.childLinkError !== undefined) return 'link failed';
  return body.childLinkTxHash === null ? 'link queued' : 'linked';
}

function note(answer: Answer): void {
  const saying = sayingOf(answer).replaceAll(/0x\w+|[0-9a-f-]{36}-1/g, '…');
  reached.add(`${answer.status} ${saying}`);
}

export function expectAnswer({ status, text, body, headers }: ApiReply, expected: Answer): void {
  const sent = text === '' ? undefined : body;
  expect({ status, body: sent, headers }).toEqual({
    status: expected.status,
    body: expected.body,
    headers: { ...everyReply, ...expected.headers },
  });
  note(expected);
}

/**
 * Sends the request and compares the whole reply: with the refusal of the key, if it is to be refused, before anything
 * else is said; otherwise with what is foretold. @returns the reply, if the key was accepted
 */
export async function ask(
  asking: Asking,
  handler: unknown,
  request: ApiRequest,
  foretell: () => Answer,
): Promise<ApiReply | undefined> {
  const { sent, accepted } = keyOf(asking);
  // Foretold first: what the reply says must not depend on it.
  const expected = accepted ? foretell() : refusedKey;
  const reply = await call(handler, request, sent);
  expectAnswer(reply, expected);
  return accepted ? reply : undefined;
}

/** A key of the publisher that is accepted, or its first. */
export function workingKey({ keys }: Publisher): number {
  return Math.max(
    0,
    keys.findIndex(({ revoked }) => !revoked),
  );
}

export function publisherAt({ publishers }: LifeModel, number: number): Publisher {
  const publisher = publishers[number % publishers.length];
  if (!publisher) throw new Error('no publisher');
  return publisher;
}
