import { createHmac, randomBytes } from 'node:crypto';
import type { RandomBytes } from '../services.ts';
import type { WebhookEvent } from './event.ts';

const prefix = 'whsec_';

/** Bytes of a secret. The specification requires 24 to 64. */
const secretBytes = 32;

/** Generates a secret in the form of Standard Webhooks: `whsec_` and base64. */
export function newWebhookSecret(random: RandomBytes = randomBytes): string {
  return `${prefix}${Buffer.from(random(secretBytes)).toString('base64')}`;
}

/**
 * Makes the headers of a request, with a signature for each secret, so that the receiver needs only one.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function webhookHeaders(
  { messageId, at, body }: Pick<WebhookEvent, 'messageId' | 'body'> & { readonly at: Date },
  secrets: readonly string[],
) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => signatureOf(secret, `${messageId}.${timestamp}.${body}`));
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
