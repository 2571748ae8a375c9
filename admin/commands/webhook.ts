import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { findAttestation } from '../../functions/domain/attestation/attestation-records.ts';
import type { Records } from '../../functions/domain/records.ts';
import { findDelivery, keptDays, replayDelivery } from '../../functions/domain/webhooks/delivery.ts';
import { pastEvents } from '../../functions/domain/webhooks/event.ts';
import {
  countDeliveries,
  listDeliveries,
  type ReadDelivery,
} from '../../functions/domain/webhooks/find-deliveries.ts';
import { currentHold, type Hold, moveWebhook } from '../../functions/domain/webhooks/hold.ts';
import { queueAll, queueMissed } from '../../functions/domain/webhooks/queue-events.ts';
import {
  createWebhook,
  formerSecretHours,
  parseWebhookUrl,
  type ReadWebhook,
  readWebhooks,
  removeWebhook,
  rotateSecret,
  signingSecrets,
  type Webhook,
} from '../../functions/domain/webhooks/webhook.ts';
import { orgOption, parseMessageId, parseTime, parseUuid } from '../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAction } from '../deployment/command.ts';
import { auditedRecords, namedOrganization } from '../deployment/organizations.ts';
import { AttestationNotFoundError, UsageInvalidError } from '../terminal/errors.ts';

interface Options {
  readonly org: string;
  readonly url: string;
}

export function webhookCommands(group: Command, toAction: ToAction): void {
  const addCommand = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .requiredOption(...orgOption);
  const idArgument = ['<webhookId>', 'webhook ID', parseUuid] as const;
  addCommand('create', "Send an organization's events to a URL, and print the signing secret once.")
    .requiredOption('--url <url>', 'https URL with a public domain, or http://127.0.0.1 on a local stack')
    .action(toAction(create));
  addCommand(
    'update',
    'Send events to another URL with the same secret, and retry waiting events for three days. To enable a disabled webhook, pass its current URL.',
  )
    .requiredOption('--url <url>', 'new URL')
    .argument(...idArgument)
    .action(toAction(update));
  addCommand(
    'rotate',
    `Print a new signing secret once. The former secret stays valid for ${formerSecretHours} hours.`,
  )
    .argument(...idArgument)
    .action(toAction(rotate));
  addCommand('remove', 'Remove a webhook. Waiting events and dead letters are not sent.')
    .argument(...idArgument)
    .action(toAction(remove));
  group
    .command('list')
    .description('List webhooks with their state and their numbers of waiting events and dead letters.')
    .option('--org <org>', 'organization ID or unique name (default: all)')
    .action(toAction(list));
  group
    .command('dead-letters')
    .description(
      'List dead letters: events that the service no longer tries to deliver. They are deleted after 30 days.',
    )
    .requiredOption(...orgOption)
    .action(toAction(listDeadLetters));
  group
    .command('replay')
    .description('Send events again with the same IDs. The service retries each for three days.')
    .requiredOption(...orgOption)
    .option('--all', 'all dead letters')
    .option('--event <id>', 'one event, even if it was delivered', parseMessageId)
    .option(
      '--attestation <id>',
      'current events of one attestation, even if they were never queued',
      parseUuid,
    )
    .option(
      '--since <time>',
      'events that were never queued, for attestations accepted since this time ' +
        `(at most ${keptDays} days ago) and their links`,
      parseTime,
    )
    .action(toAction(replay));
}

const secretNotice = 'Give the secret to the receiver now: it cannot be shown again.';

const streamNotice =
  'The webhook gets no events yet, because the restored attestations table has no stream. Run admin doctor.';

async function create(deployment: Deployment, { org, url: text }: Options): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const settings = await deployment.settings();
  const url = parseWebhookUrl(text, settings);
  // Paths and queries of URLs may contain a token.
  const details = { host: url.host };
  const records = auditedRecords(deployment, 'webhook create', () => ({ organizationId, details }));
  const webhook = await createWebhook({ records }, { organizationId, url, now: deployment.now() });
  const { id, secret } = webhook;
  const fields = fieldList({ secret, id, organization: organizationId, url: webhook.url });
  const { attestations, attestationsStream } = settings.existing?.tables ?? {};
  const lacksStream = attestations !== undefined && attestationsStream === undefined;
  return {
    json: { ...webhook, ...(lacksStream && { warning: streamNotice }) },
    text: `${fields}\n${secretNotice}${lacksStream ? `\n${streamNotice}` : ''}`,
  };
}

async function update(
  deployment: Deployment,
  id: string,
  { org, url: text }: Options,
): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const url = parseWebhookUrl(text, await deployment.settings());
  const details = { webhookId: id, host: url.host };
  const records = auditedRecords(deployment, 'webhook update', () => ({ organizationId, details }));
  await moveWebhook(records, { organizationId, id }, url, deployment.now());
  return { json: { id, organizationId, url: url.href }, text: fieldList({ id, url: url.href }) };
}

async function rotate(deployment: Deployment, id: string, { org }: Options): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const details = { webhookId: id };
  const records = auditedRecords(deployment, 'webhook rotate', () => ({ organizationId, details }));
  const now = deployment.now();
  const { secret, formerUntil } = await rotateSecret(records, { organizationId, id }, { now });
  const fields = { secret, id, 'former secret until': formerUntil ?? null };
  return { json: { organizationId, id, secret, formerUntil }, text: `${fieldList(fields)}\n${secretNotice}` };
}

async function remove(deployment: Deployment, id: string, { org }: Options): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const details = { webhookId: id };
  const records = auditedRecords(deployment, 'webhook remove', () => ({ organizationId, details }));
  await removeWebhook(records, { organizationId, id });
  return { json: { id, removed: true }, text: fieldList({ id, state: 'removed' }) };
}

async function list(deployment: Deployment, { org }: { org?: string }): Promise<CommandResult> {
  const { records } = deployment;
  const organizationId = org === undefined ? undefined : (await namedOrganization(records, org)).id;
  const found = await readWebhooks(records, organizationId);
  const webhooks = await Promise.all(found.map((webhook) => describe(deployment, webhook)));
  const rows = webhooks.map(
    ({ id, organizationId: owner, url, waiting, deadLetters, secrets, error, ...hold }) => [
      ...[
        id,
        owner,
        waiting,
        deadLetters,
        secrets,
        error ? 'malformed' : stateOf(hold),
        url ?? error ?? null,
      ],
    ],
  );
  const headings = ['ID', 'ORGANIZATION', 'WAITING', 'DEAD LETTERS', 'SECRETS', 'STATE', 'URL'];
  const none = 'There are no webhooks. Run webhook create --org ORG --url URL to add one.';
  return { json: { webhooks }, text: rows.length === 0 ? none : table(headings, rows) };
}

async function describe({ records, now }: Deployment, { key, webhook, error }: ReadWebhook) {
  const counts = await countDeliveries(records, key);
  const { url = null, createdAt = null } = webhook ?? {};
  const time = now();
  const secrets = webhook ? signingSecrets(webhook, time).length : null;
  const hold = webhook && currentHold(webhook, time);
  return { ...key, url, createdAt, secrets, ...hold, ...counts, ...(error && { error: error.message }) };
}

function stateOf({ disabledAt, notBefore }: Hold): string {
  if (disabledAt !== undefined) return `disabled ${disabledAt}`;
  return notBefore === undefined ? 'active' : `not before ${notBefore}`;
}

async function listDeadLetters({ records }: Deployment, { org }: { org: string }): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(records, org);
  const webhooks = await readWebhooks(records, organizationId);
  const found = await Promise.all(
    webhooks.map(async ({ key }) => {
      const deadLetters = await listDeliveries(records, key, 'dead-letter');
      return deadLetters.map(({ messageId, delivery, error }) => {
        const { type = null, attestationId = null, queuedAt = null, tryAt = null } = delivery ?? {};
        const { tries = null, answer = error?.message ?? null } = delivery ?? {};
        const event = { webhookId: key.id, messageId, type, attestationId };
        return { ...event, queuedAt, lastTryAt: tries === 0 ? null : tryAt, tries, answer };
      });
    }),
  );
  const events = found.flat();
  const rows = events.map((event) => [event.messageId, event.tries, event.lastTryAt, event.answer]);
  const next = `When the receiver works again, run webhook replay --org ${organizationId} --all.`;
  const listed = `${table(['EVENT', 'TRIES', 'LAST TRY', 'LAST ANSWER'], rows)}\n${next}`;
  return { json: { events }, text: rows.length === 0 ? 'There are no dead letters.' : listed };
}

interface ReplayOptions {
  readonly org: string;
  readonly all?: true;
  readonly event?: string;
  readonly attestation?: string;
  readonly since?: Date;
}

interface Replay extends Omit<ReplayOptions, 'org' | 'since'> {
  readonly organizationId: string;
  readonly records: Records;
  readonly now: Deployment['now'];
  readonly webhooks: readonly Webhook[];
}

/** Number of due events, and names of malformed records. */
interface ReplayCounts {
  readonly events: number;
  readonly unreadable: readonly string[];
}

async function replay(deployment: Deployment, options: ReplayOptions): Promise<CommandResult> {
  const { org, since, ...others } = options;
  if (Object.keys(others).length + (since ? 1 : 0) !== 1)
    throw new UsageInvalidError('pass exactly one of --all, --event, --attestation, and --since');
  if (since) requireRecent(since, deployment.now());
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const details = { ...others, ...(since && { since: since.toISOString() }) };
  const records = auditedRecords(deployment, 'webhook replay', () => ({ organizationId, details }));
  const read = await readWebhooks(records, organizationId);
  const webhooks = read.flatMap(({ webhook }) => webhook ?? []);
  const malformed = read.filter(({ error }) => error).map(({ key }) => `webhook ${key.id}`);
  const context = { ...others, organizationId, records, now: deployment.now, webhooks };
  const { events, unreadable } = since ? await queuePastEvents(context, since) : await replayEvents(context);
  const warnings = webhooks.flatMap((webhook) => holdWarning(webhook, deployment.now()) ?? []);
  return replayResult({ events, unreadable: [...malformed, ...unreadable] }, warnings);
}

/** Events with an expired delivery would be sent again. @throws UsageInvalidError */
function requireRecent(since: Date, now: Date): void {
  if (now.getTime() - since.getTime() <= keptDays * 86_400_000) return;
  throw new UsageInvalidError(
    `--since must be at most ${keptDays} days ago; older deliveries are no longer recorded`,
  );
}

async function queuePastEvents(context: Replay, since: Date): Promise<ReplayCounts> {
  const { queued, unreadable } = await queueMissed(context, { ...context, since });
  return { events: queued, unreadable: unreadable.map((id) => `attestation ${id}`) };
}

async function replayEvents({ event, attestation, ...context }: Replay): Promise<ReplayCounts> {
  const { records, organizationId, webhooks, now } = context;
  let events = 0;
  let messageIds = event === undefined ? [] : [event];
  if (attestation !== undefined) {
    const row = await findAttestation(records, { organizationId, id: attestation });
    if (!row) throw new AttestationNotFoundError(attestation);
    const past = pastEvents(row, now());
    messageIds = past.map(({ messageId }) => messageId);
    events = await queueAll(context, webhooks, past);
  }
  const unreadable: string[] = [];
  for (const webhook of webhooks) {
    const found = context.all
      ? await listDeliveries(records, webhook, 'dead-letter')
      : await Promise.all(messageIds.map((messageId) => findReplayable(records, webhook, messageId)));
    for (const { messageId, delivery, error } of found) {
      if (error) unreadable.push(messageId);
      if (delivery && (await replayDelivery(records, webhook, delivery, now()))) events += 1;
    }
  }
  return { events, unreadable };
}

/** Finds an event of a webhook, unless it is due and has no attempts. @throws RecordInvalidError */
async function findReplayable(records: Records, webhook: Webhook, messageId: string): Promise<ReadDelivery> {
  const found = await findDelivery(records, webhook, messageId);
  const isNew = found?.state === 'due' && found.tries === 0;
  return { messageId, delivery: isNew ? undefined : found };
}

function holdWarning(webhook: Webhook, now: Date): string | undefined {
  const hold = currentHold(webhook, now);
  if (!hold) return undefined;
  const { disabledAt, notBefore } = hold;
  return disabledAt === undefined
    ? `webhook ${webhook.id} accepts no events before ${notBefore}; to send now, run webhook update`
    : `webhook ${webhook.id} is disabled; to enable it, run webhook update`;
}

function replayResult({ events, unreadable }: ReplayCounts, warnings: readonly string[]): CommandResult {
  const due = `${events === 1 ? '1 event is' : `${events} events are`} due now. To see the waiting events, run webhook list.`;
  const summary = [events === 0 ? 'There are no events to send again.' : due, ...warnings].join('\n');
  const json = { events, ...(warnings.length > 0 && { warnings }) };
  if (unreadable.length === 0) return { json, text: summary };
  const malformed = `Skipped because malformed:\n${unreadable.join('\n')}`;
  return { json: { ...json, unreadable }, text: `${summary}\n${malformed}`, exitCode: 1 };
}
