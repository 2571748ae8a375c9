import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { findAttestation } from '../../functions/domain/attestation/attestation-records.ts';
import type { Records } from '../../functions/domain/records.ts';
import { findDelivery, keptDays, replayDelivery } from '../../functions/domain/webhooks/delivery.ts';
import { pastEvents } from '../../functions/domain/webhooks/event.ts';
import {
  countDeliveries,
  deliveriesIn,
  type ReadDelivery,
} from '../../functions/domain/webhooks/find-deliveries.ts';
import { type Hold, holdAt, moveWebhook } from '../../functions/domain/webhooks/hold.ts';
import { queueFor, queuePast } from '../../functions/domain/webhooks/queue-events.ts';
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
import type { Act, CommandAnswer, Deployment } from '../deployment/command.ts';
import { auditedRecords, namedOrganization } from '../deployment/organizations.ts';
import { AttestationNowhereError, UsageInvalidError } from '../terminal/errors.ts';

interface Options {
  readonly org: string;
  readonly url: string;
}

export function webhookCommands(group: Command, act: Act): void {
  const add = (name: string, description: string) =>
    group
      .command(name)
      .description(description)
      .requiredOption(...orgOption);
  const idArgument = ['<webhookId>', 'its id', parseUuid] as const;
  add(
    'create',
    "Send an organisation's events to an address, and print the secret that signs them: this once.",
  )
    .requiredOption('--url <url>', 'an https URL at a public domain; http://127.0.0.1 on a local stack')
    .action(act(create));
  add(
    'update',
    'Send events to another address, with the same secret; also those that wait, for three days from now on. The same address enables one that is disabled.',
  )
    .requiredOption('--url <url>', 'the new address, as in webhook create')
    .argument(...idArgument)
    .action(act(update));
  add(
    'rotate',
    `Make a new secret for a webhook and print it: this once. The one before signs as well for ${formerSecretHours} hours.`,
  )
    .argument(...idArgument)
    .action(act(rotate));
  add('remove', 'Send nothing more to an address. What waits for it, or is parked, is not sent.')
    .argument(...idArgument)
    .action(act(remove));
  group
    .command('list')
    .description(
      'List webhooks, with their state, how many events wait for each and how many are parked. Secrets are not shown.',
    )
    .option('--org <org>', 'those of one organisation, by its id or name; without it, all')
    .action(act(list));
  group
    .command('parked')
    .description(
      'List the events that a receiver did not take in three days, or did not let be tried. They are kept for thirty days.',
    )
    .requiredOption(...orgOption)
    .action(act(parked));
  group
    .command('replay')
    .description('Send events again, with the ids that they had. Each is tried for three days from now on.')
    .requiredOption(...orgOption)
    .option('--all', 'all that is parked')
    .option('--event <id>', 'one event, also one that was delivered', parseMessageId)
    .option(
      '--attestation <id>',
      'what an attestation has to tell now, also if it was never queued',
      parseUuid,
    )
    .option(
      '--since <time>',
      `what was never queued of all attestations accepted since then, and of links to them, at most ${keptDays} days ago`,
      parseTime,
    )
    .action(act(replay));
}

const secretNotice = 'Give the receiver the secret now: it cannot be shown again.';

const deafNotice =
  'It hears nothing yet: the stack has no stream of its restored table of attestations. Run admin doctor.';

async function create(deployment: Deployment, { org, url: text }: Options): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const settings = await deployment.settings();
  const url = parseWebhookUrl(text, settings);
  // Paths and queries of such URLs may hold a token.
  const details = { host: url.host };
  const records = auditedRecords(deployment, 'webhook create', () => ({ organizationId, details }));
  const webhook = await createWebhook({ records }, { organizationId, url, now: deployment.now() });
  const { id, secret } = webhook;
  const fields = fieldList({ secret, id, organisation: organizationId, url: webhook.url });
  const { attestations, attestationsStream } = settings.existing?.tables ?? {};
  const isDeaf = attestations !== undefined && attestationsStream === undefined;
  return {
    json: { ...webhook, ...(isDeaf && { warning: deafNotice }) },
    text: `${fields}\n${secretNotice}${isDeaf ? `\n${deafNotice}` : ''}`,
  };
}

async function update(
  deployment: Deployment,
  id: string,
  { org, url: text }: Options,
): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const url = parseWebhookUrl(text, await deployment.settings());
  const details = { webhookId: id, host: url.host };
  const records = auditedRecords(deployment, 'webhook update', () => ({ organizationId, details }));
  await moveWebhook(records, { organizationId, id }, url, deployment.now());
  return { json: { id, organizationId, url: url.href }, text: fieldList({ id, url: url.href }) };
}

async function rotate(deployment: Deployment, id: string, { org }: Options): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const details = { webhookId: id };
  const records = auditedRecords(deployment, 'webhook rotate', () => ({ organizationId, details }));
  const now = deployment.now();
  const { secret, formerUntil } = await rotateSecret(records, { organizationId, id }, { now });
  const fields = { secret, id, 'former secret until': formerUntil ?? null };
  return { json: { organizationId, id, secret, formerUntil }, text: `${fieldList(fields)}\n${secretNotice}` };
}

async function remove(deployment: Deployment, id: string, { org }: Options): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const details = { webhookId: id };
  const records = auditedRecords(deployment, 'webhook remove', () => ({ organizationId, details }));
  await removeWebhook(records, { organizationId, id });
  return { json: { id, removed: true }, text: fieldList({ id, state: 'removed' }) };
}

async function list(deployment: Deployment, { org }: { org?: string }): Promise<CommandAnswer> {
  const { records } = deployment;
  const organizationId = org === undefined ? undefined : (await namedOrganization(records, org)).id;
  const found = await readWebhooks(records, organizationId);
  const webhooks = await Promise.all(found.map((webhook) => described(deployment, webhook)));
  const rows = webhooks.map(
    ({ id, organizationId: owner, url, waiting, parked, secrets, error, ...hold }) => [
      ...[id, owner, waiting, parked, secrets, error ? 'malformed' : stateOf(hold), url ?? error ?? null],
    ],
  );
  const headings = ['ID', 'ORGANISATION', 'WAITING', 'PARKED', 'SECRETS', 'STATE', 'URL'];
  const none = 'There is no webhook yet; webhook create --org ORG --url URL makes one.';
  return { json: { webhooks }, text: rows.length === 0 ? none : table(headings, rows) };
}

/** What is shown of a webhook; of a malformed one, why it cannot be read. */
async function described({ records, now }: Deployment, { key, webhook, error }: ReadWebhook) {
  const counts = await countDeliveries(records, key);
  const { url = null, createdAt = null } = webhook ?? {};
  const at = now();
  const secrets = webhook ? signingSecrets(webhook, at).length : null;
  const hold = webhook && holdAt(webhook, at);
  return { ...key, url, createdAt, secrets, ...hold, ...counts, ...(error && { error: error.message }) };
}

function stateOf({ disabledAt, notBefore }: Hold): string {
  if (disabledAt !== undefined) return `disabled ${disabledAt}`;
  return notBefore === undefined ? 'active' : `not before ${notBefore}`;
}

async function parked({ records }: Deployment, { org }: { org: string }): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(records, org);
  const webhooks = await readWebhooks(records, organizationId);
  const found = await Promise.all(
    webhooks.map(async ({ key }) => {
      const own = await deliveriesIn(records, key, 'parked');
      return own.map(({ messageId, delivery, error }) => {
        const { type = null, attestationId = null, queuedAt = null, tryAt = null } = delivery ?? {};
        const { tries = null, answer = error?.message ?? null } = delivery ?? {};
        const event = { webhookId: key.id, messageId, type, attestationId };
        return { ...event, queuedAt, lastTryAt: tries === 0 ? null : tryAt, tries, answer };
      });
    }),
  );
  const events = found.flat();
  const rows = events.map((event) => [event.messageId, event.tries, event.lastTryAt, event.answer]);
  const next = `Once the receiver answers: webhook replay --org ${organizationId} --all`;
  const listed = `${table(['EVENT', 'TRIES', 'LAST TRY', 'LAST ANSWER'], rows)}\n${next}`;
  return { json: { events }, text: rows.length === 0 ? 'Nothing is parked.' : listed };
}

interface ReplayOptions {
  readonly org: string;
  readonly all?: true;
  readonly event?: string;
  readonly attestation?: string;
  readonly since?: Date;
}

/** What is sent again, and for whom. */
interface Replay extends Omit<ReplayOptions, 'org' | 'since'> {
  readonly organizationId: string;
  readonly records: Records;
  readonly now: Deployment['now'];
  readonly webhooks: readonly Webhook[];
}

/** How many events are due now, and names of what is malformed. */
interface Replayed {
  readonly events: number;
  readonly unreadable: readonly string[];
}

async function replay(deployment: Deployment, options: ReplayOptions): Promise<CommandAnswer> {
  const { org, since, ...others } = options;
  if (Object.keys(others).length + (since ? 1 : 0) !== 1)
    throw new UsageInvalidError('one of --all, --event, --attestation and --since says what is sent again');
  if (since) requireRecent(since, deployment.now());
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const details = { ...others, ...(since && { since: since.toISOString() }) };
  const records = auditedRecords(deployment, 'webhook replay', () => ({ organizationId, details }));
  const read = await readWebhooks(records, organizationId);
  const webhooks = read.flatMap(({ webhook }) => webhook ?? []);
  const malformed = read.filter(({ error }) => error).map(({ key }) => `webhook ${key.id}`);
  const what = { ...others, organizationId, records, now: deployment.now, webhooks };
  const { events, unreadable } = since ? await tellPast(what, since) : await sendAgain(what);
  const warnings = webhooks.flatMap((webhook) => holdWarning(webhook, deployment.now()) ?? []);
  return answerOf({ events, unreadable: [...malformed, ...unreadable] }, warnings);
}

/** A delivery that is kept no more would be taken for one that never was. @throws UsageInvalidError */
function requireRecent(since: Date, now: Date): void {
  if (now.getTime() - since.getTime() <= keptDays * 86_400_000) return;
  throw new UsageInvalidError(
    `--since is at most ${keptDays} days ago: what was told before is not known any more`,
  );
}

async function tellPast(what: Replay, since: Date): Promise<Replayed> {
  const { queued, unreadable } = await queuePast(what, { ...what, since });
  return { events: queued, unreadable: unreadable.map((id) => `attestation ${id}`) };
}

async function sendAgain({ event, attestation, ...what }: Replay): Promise<Replayed> {
  const { records, organizationId, webhooks, now } = what;
  let events = 0;
  let messageIds = event === undefined ? [] : [event];
  if (attestation !== undefined) {
    const row = await findAttestation(records, { organizationId, id: attestation });
    if (!row) throw new AttestationNowhereError(attestation);
    const past = pastEvents(row, now());
    messageIds = past.map(({ messageId }) => messageId);
    events = await queueFor(what, webhooks, past);
  }
  const unreadable: string[] = [];
  for (const webhook of webhooks) {
    const found = what.all
      ? await deliveriesIn(records, webhook, 'parked')
      : await Promise.all(messageIds.map((messageId) => named(records, webhook, messageId)));
    for (const { messageId, delivery, error } of found) {
      if (error) unreadable.push(messageId);
      if (delivery && (await replayDelivery(records, webhook, delivery, now()))) events += 1;
    }
  }
  return { events, unreadable };
}

/** An event of a webhook, unless it is due already and was never tried. @throws RecordInvalidError */
async function named(records: Records, webhook: Webhook, messageId: string): Promise<ReadDelivery> {
  const found = await findDelivery(records, webhook, messageId);
  const isNew = found?.state === 'due' && found.tries === 0;
  return { messageId, delivery: isNew ? undefined : found };
}

/** Why nothing is sent to a webhook now, though it is due. */
function holdWarning(webhook: Webhook, now: Date): string | undefined {
  const hold = holdAt(webhook, now);
  if (!hold) return undefined;
  const { disabledAt, notBefore } = hold;
  return disabledAt === undefined
    ? `webhook ${webhook.id} asked for nothing before ${notBefore}: webhook update sends there now`
    : `webhook ${webhook.id} is disabled: webhook update sends there again`;
}

function answerOf({ events, unreadable }: Replayed, warnings: readonly string[]): CommandAnswer {
  const due = `${events === 1 ? '1 event is' : `${events} events are`} due now; webhook list shows what waits.`;
  const told = [events === 0 ? 'There is nothing to send again.' : due, ...warnings].join('\n');
  const json = { events, ...(warnings.length > 0 && { warnings }) };
  if (unreadable.length === 0) return { json, text: told };
  const malformed = `Malformed, and left as it is:\n${unreadable.join('\n')}`;
  return { json: { ...json, unreadable }, text: `${told}\n${malformed}`, exitCode: 1 };
}
