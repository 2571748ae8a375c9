import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { ExpectedError, RefusedError } from '../errors.ts';
import type { Fields, Key, Records } from '../records.ts';
import type { RandomBytes, Services } from '../services.ts';
import type { Settings } from '../settings.ts';
import { formOf, parsedOrError, parseRecord } from '../stored-record.ts';
import { newWebhookSecret } from './signature.ts';

/** Number of webhooks that an organization may have. */
const maxWebhooks = 5;

/** Time for which a replaced secret signs as well, in hours: in it, the receiver takes over the new one. */
export const formerSecretHours = 24;

export interface WebhookKey {
  readonly organizationId: string;
  readonly id: string;
}

/** A webhook as it is stored: its key has the rest. The secret signs, is shown once and never logged. */
const webhookForm = formOf(
  { url: z.string(), secret: z.string(), createdAt: z.string() },
  {
    /** The secret before it, which signs as well until `formerUntil`. */
    ...{ formerSecret: z.string(), formerUntil: z.string() },
    /** Time when its receiver answered 410: nothing is sent there until an operator gives its address again. */
    disabledAt: z.iso.datetime(),
    /** Time until which its receiver asked to be left alone (`Retry-After`). */
    notBefore: z.iso.datetime(),
  },
);

/** An address that an organization's events are sent to. */
export type Webhook = WebhookKey & z.output<typeof webhookForm>;

const partition = 'webhooks';

/** All webhooks share a partition, in which those of an organization are side by side. */
export function webhookRecord({ organizationId, id }: WebhookKey): Key {
  return { table: 'webhooks', pk: partition, sk: `${organizationId}#${id}` };
}

export class WebhookUrlRefusedError extends ExpectedError {}

export const webhookMissing = ({ id }: WebhookKey): RefusedError =>
  new RefusedError(`there is no webhook ${id}; \`webhook list --org ORG\` shows them`);

/**
 * Parses a webhook's URL: https to a domain, looked at when it is connected to, or http to this machine where the settings let it.
 * @throws WebhookUrlRefusedError
 */
export function parseWebhookUrl(text: string, { loopbackWebhooks }: Pick<Settings, 'loopbackWebhooks'>): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > 2_000)
    throw new WebhookUrlRefusedError('a webhook is an https URL of at most 2000 characters');
  if (url.username || url.password || url.hash)
    throw new WebhookUrlRefusedError("a webhook's URL has no user, no password and no #fragment");
  if (loopbackWebhooks && isLoopback(url)) return url;
  if (url.protocol !== 'https:') throw new WebhookUrlRefusedError("a webhook's URL begins with https://");
  // URLs write every form of an IPv4 address as four numbers, and IPv6 in brackets.
  if (/^[\d.]+$|^\[|^[^.]+$/.test(url.hostname))
    throw new WebhookUrlRefusedError('a webhook is at a public domain, not at an IP address or a local name');
  return url;
}

/** Whether it is http to this very machine, without a name that could lead elsewhere. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]');
}

/** A webhook, or why it cannot be read. */
export type ReadWebhook = Awaited<ReturnType<typeof readWebhooks>>[number];

/** The webhooks of an organization, or of all, oldest first; the malformed with their errors. */
export async function readWebhooks(records: Records, organizationId?: string) {
  // Two that are made at once may be one too many, and hear as well; those of the next organization are left out.
  const some = organizationId === undefined ? {} : { from: `${organizationId}#`, limit: 2 * maxWebhooks };
  const stored = await records.list({ table: 'webhooks', pk: partition, ...some });
  return stored.flatMap(({ key: { sk }, fields }) => {
    const key = keyOf(sk);
    if (organizationId !== undefined && key.organizationId !== organizationId) return [];
    const { parsed, error } = parsedOrError(() => webhookOf(key, fields));
    return [{ key, webhook: parsed, error }];
  });
}

/** The webhooks of an organization, or of all, oldest first. A malformed one is reported and left out. */
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

/** A key may be a whole webhook, as it was read before. */
const webhookOf = ({ organizationId, id }: WebhookKey, fields: Fields): Webhook => ({
  ...{ organizationId, id },
  ...parseRecord('webhook', webhookForm, fields),
});

function keyOf(sk: string): WebhookKey {
  const [organizationId = '', id = ''] = sk.split('#');
  return { organizationId, id };
}

export async function findWebhook(records: Records, key: WebhookKey): Promise<Webhook | undefined> {
  const fields = await records.get(webhookRecord(key));
  return fields && webhookOf(key, fields);
}

interface Made {
  readonly now: Date;
  readonly random?: RandomBytes;
}

/** Registers an address, with a secret of its own. @throws RefusedError when there are as many as may be */
export async function createWebhook(
  { records }: Pick<Services, 'records'>,
  { organizationId, url, now, random }: Made & { readonly organizationId: string; readonly url: URL },
): Promise<Webhook> {
  if ((await readWebhooks(records, organizationId)).length >= maxWebhooks)
    throw new RefusedError(`an organization has at most ${maxWebhooks} webhooks; remove one first`);
  const id = uuidv7({ msecs: now.getTime() });
  const fields = { url: url.href, secret: newWebhookSecret(random), createdAt: now.toISOString() };
  await records.transact([{ key: webhookRecord({ organizationId, id }), put: fields, ifAbsent: true }]);
  return { organizationId, id, ...fields };
}

/** Removes an address, also a malformed one. What waits for it is not sent, and expires. @throws RefusedError for an unknown one */
export async function removeWebhook(records: Records, key: WebhookKey): Promise<void> {
  if (!(await records.get(webhookRecord(key)))) throw webhookMissing(key);
  await records.transact([{ key: webhookRecord(key), remove: true }]);
}

/** Gives it a new secret; the one before signs as well for a day. @throws RefusedError for an unknown one */
export async function rotateSecret(
  records: Records,
  key: WebhookKey,
  { now, random }: Made,
): Promise<Webhook> {
  const webhook = await findWebhook(records, key);
  if (!webhook) throw webhookMissing(key);
  const rotated = {
    secret: newWebhookSecret(random),
    formerSecret: webhook.secret,
    formerUntil: new Date(now.getTime() + formerSecretHours * 3_600_000).toISOString(),
  };
  const expect = { secret: webhook.secret };
  const held = await records.transact([{ key: webhookRecord(key), expect, set: rotated }]);
  return held ? { ...webhook, ...rotated } : rotateSecret(records, key, { now, ...(random && { random }) });
}

/** The secrets that sign now, the newest first. */
export function signingSecrets({ secret, formerSecret, formerUntil }: Webhook, now: Date): string[] {
  const isFormer = formerSecret !== undefined && Date.parse(formerUntil ?? '') > now.getTime();
  return isFormer ? [secret, formerSecret] : [secret];
}
