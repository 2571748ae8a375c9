import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds by which a request may be older or newer than the receiver's clock: an older one may be a copy. */
const toleranceSeconds = 300;

/** Bytes that a secret has at least: with none, anybody could sign. */
const minSecretBytes = 24;

/**
 * Verifies a request as Standard Webhooks says, and returns its event. The body is that of the request, byte for byte: not parsed and
 * written again.
 *
 * @param {string} secret `whsec_…`, as `admin webhook create` or `rotate` printed it
 * @param {Record<string, string | string[] | undefined>} headers names in lower case, as Node has them
 * @param {string} body
 * @throws Error when the request is not from the service, or was not sent just now
 */
export function verifyWebhook(secret, headers, body, now = new Date()) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length < minSecretBytes) throw new Error('the secret of the webhook is missing or cut');
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new Error('the webhook was not sent just now');
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const given = String(signatures)
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'));
  if (!given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted)))
    throw new Error('the webhook has no valid signature');
  return { id: String(id), ...JSON.parse(body) };
}
