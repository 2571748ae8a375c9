import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Maximum difference between the time of a request and the receiver's clock, in seconds. An older request may be a
 * copy.
 */
const toleranceSeconds = 300;

/** Minimum length of a secret in bytes. With an empty secret, anyone could sign. */
const minSecretBytes = 24;

/**
 * Verifies a request by the rules of Standard Webhooks and returns its event.
 *
 * @param {string} secret `whsec_…`, as `admin webhook create` or `rotate` printed it
 * @param {Record<string, string | string[] | undefined>} headers with names in lower case, as in Node
 * @param {string} body the unchanged body, not parsed and serialized again
 * @throws Error if the secret is missing or truncated, the signature is invalid, or the timestamp is too old or too new
 */
export function verifyWebhook(secret, headers, body, now = new Date()) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length < minSecretBytes) throw new Error('the webhook secret is missing or truncated');
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new Error('the timestamp of the webhook is too old or too new');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const received = String(signatures)
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'));
  if (!received.some((code) => code.length === expected.length && timingSafeEqual(code, expected)))
    throw new Error('the webhook has no valid signature');
  return { id: String(id), ...JSON.parse(body) };
}
