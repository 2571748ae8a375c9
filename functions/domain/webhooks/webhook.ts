import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { ExpectedError, RefusedError } from '../errors.ts';
import type { Fields, Key, Records } from '../records.ts';
import type { RandomBytes, Services } from '../services.ts';
import type { Settings } from '../settings.ts';
import { formOf, parsedOrError, parseRecord } from '../stored-record.ts';
import { newWebhookSecret } from './signature.ts';

const maxWebhooks = 5;

/** Hours for which a replaced secret is also used to sign, while the receiver changes to the new one. */
export const formerSecretHours = 24;

export interface WebhookKey {
  readonly organizationId: string;
  readonly id: string;
}

/** A webhook as stored, without its key. The secret is shown once and never logged. */
const webhookForm = formOf(
  { url: z.string(), secret: z.string(), createdAt: z.string() },
  {
    /** The former secret, which is also used to sign until `formerUntil`. */
    ...{ formerSecret: z.string(), formerUntil: z.string() },
    /** Time at which its receiver answered 410. Nothing is sent until an operator updates the webhook. */
    disabledAt: z.iso.datetime(),
    /** Time until which its receiver asked for a pause (`Retry-After`). */
    notBefore: z.iso.datetime(),
  },
);

/** A URL that gets an organization's events. */
export type Webhook = WebhookKey & z.output<typeof webhookForm>;

const partition = 'webhooks';

/** Returns the key of a webhook. All webhooks share a partition, sorted by organization. */
export function webhookRecord({ organizationId, id }: WebhookKey): Key {
  return { table: 'webhooks', pk: partition, sk: `${organizationId}#${id}` };
}

export class WebhookUrlRefusedError extends ExpectedError {}

export const webhookMissing = ({ id }: WebhookKey): RefusedError =>
  new RefusedError(`there is no webhook ${id}; \`webhook list --org ORG\` shows them`);

/** Accepts https with a domain, and http to this machine if the settings allow it. @throws WebhookUrlRefusedError */
export function parseWebhookUrl(text: string, { loopbackWebhooks }: Pick<Settings, 'loopbackWebhooks'>): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > 2_000)
    throw new WebhookUrlRefusedError('a webhook is an https URL of at most 2000 characters');
  if (url.username || url.password || url.hash)
    throw new WebhookUrlRefusedError("a webhook's URL has no user, no password and no #fragment");
  if (loopbackWebhooks && isLoopback(url)) return url;
  if (url.protocol !== 'https:') throw new WebhookUrlRefusedError("a webhook's URL begins with https://");
  // URLs normalize every form of an IPv4 address to four numbers, and put IPv6 in brackets.
  if (/^[\d.]+$|^\[|^[^.]+$/.test(url.hostname))
    throw new WebhookUrlRefusedError('a webhook is at a public domain, not at an IP address or a local name');
  return url;
}

/** Whether it is http to this machine, without a name that could resolve elsewhere. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]');
}

export type ReadWebhook = Awaited<ReturnType<typeof readWebhooks>>[number];

/** Reads the webhooks of an organization, oldest first, or of all. Malformed ones come with their errors. */
export async function readWebhooks(records: Records, organizationId?: string) {
  // Reads more than the maximum, because concurrent creations may exceed it. The range also has the next organizations.
  const range = organizationId === undefined ? {} : { from: `${organizationId}#`, limit: 2 * maxWebhooks };
  const stored = await records.list({ table: 'webhooks', pk: partition, ...range });
  return stored.flatMap(({ key: { sk }, fields }) => {
    const key = parseKey(sk);
    if (organizationId !== undefined && key.organizationId !== organizationId) return [];
    const { parsed, error } = parsedOrError(() => webhookOf(key, fields));
    return [{ key, webhook: parsed, error }];
  });
}

/** Lists the webhooks of an organization, oldest first, or of all. A malformed one is logged and left out. */
export async function listWebhooks(
  { records, log }: Pick<Services, 'records' | 'log'>,
  organizationId?: string,
): Promise<Webhook[]> {
  const read = await readWebhooks(records, organizationId);
  return read.flatMap(({ key, webhook, error }) => {
    if (error) log.error('webhook event unreadable', error, { ...key });
    return webhook ?? [];
  });
}

/** The key may be a whole webhook. Only its ID fields are used. */
const webhookOf = ({ organizationId, id }: WebhookKey, fields: Fields): Webhook => ({
  ...{ organizationId, id },
  ...parseRecord('webhook', webhookForm, fields),
});

function parseKey(sk: string): WebhookKey {
  const [organizationId = '', id = ''] = sk.split('#');
  return { organizationId, id };
}

export async function findWebhook(records: Records, key: WebhookKey): Promise<Webhook | undefined> {
  const fields = await records.get(webhookRecord(key));
  return fields && webhookOf(key, fields);
}

interface Options {
  readonly now: Date;
  readonly random?: RandomBytes;
}

/** Creates a webhook with its own secret. @throws RefusedError if the organization has the maximum */
export async function createWebhook(
  { records }: Pick<Services, 'records'>,
  { organizationId, url, now, random }: Options & { readonly organizationId: string; readonly url: URL },
): Promise<Webhook> {
  if ((await readWebhooks(records, organizationId)).length >= maxWebhooks)
    throw new RefusedError(`an organization has at most ${maxWebhooks} webhooks; remove one first`);
  const id = uuidv7({ msecs: now.getTime() });
  const fields = { url: url.href, secret: newWebhookSecret(random), createdAt: now.toISOString() };
  await records.transact([{ key: webhookRecord({ organizationId, id }), put: fields, ifAbsent: true }]);
  return { organizationId, id, ...fields };
}

/** Removes a webhook, even a malformed one. Waiting events are not sent and expire. @throws RefusedError */
export async function removeWebhook(records: Records, key: WebhookKey): Promise<void> {
  if (!(await records.get(webhookRecord(key)))) throw webhookMissing(key);
  await records.transact([{ key: webhookRecord(key), remove: true }]);
}

/** Replaces the secret. The former one is also used to sign for a day. @throws RefusedError for an unknown webhook */
export async function rotateSecret(
  records: Records,
  key: WebhookKey,
  { now, random }: Options,
): Promise<Webhook> {
  const webhook = await findWebhook(records, key);
  if (!webhook) throw webhookMissing(key);
  const rotated = {
    secret: newWebhookSecret(random),
    formerSecret: webhook.secret,
    formerUntil: new Date(now.getTime() + formerSecretHours * 3_600_000).toISOString(),
  };
  const expect = { secret: webhook.secret };
  const isSet = await records.transact([{ key: webhookRecord(key), expect, set: rotated }]);
  return isSet ? { ...webhook, ...rotated } : rotateSecret(records, key, { now, ...(random && { random }) });
}

export function signingSecrets({ secret, formerSecret, formerUntil }: Webhook, now: Date): string[] {
  const isFormer = formerSecret !== undefined && Date.parse(formerUntil ?? '') > now.getTime();
  return isFormer ? [secret, formerSecret] : [secret];
}
