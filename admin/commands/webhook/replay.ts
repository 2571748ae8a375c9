import type { Command } from 'commander';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { findDelivery, keptDays, replayDelivery } from '../../../functions/domain/webhooks/delivery.ts';
import { pastEvents } from '../../../functions/domain/webhooks/event.ts';
import { deliveriesIn, type ReadDelivery } from '../../../functions/domain/webhooks/find-deliveries.ts';
import { holdAt } from '../../../functions/domain/webhooks/hold.ts';
import { queueFor, queuePast } from '../../../functions/domain/webhooks/queue-events.ts';
import { readWebhooks, type Webhook } from '../../../functions/domain/webhooks/webhook.ts';
import { orgOption, parseMessageId, parseTime, parseUuid } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { auditedRecords, namedOrganization } from '../../deployment/organizations.ts';
import { AttestationNowhereError, UsageInvalidError } from '../../terminal/errors.ts';

interface Options {
  readonly org: string;
  readonly all?: true;
  readonly event?: string;
  readonly attestation?: string;
  readonly since?: Date;
}

export function webhookReplay(group: Command, act: Act): void {
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

/** What is sent again, and for whom. */
interface Replay extends Omit<Options, 'org' | 'since'> {
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

async function replay(deployment: Deployment, options: Options): Promise<CommandAnswer> {
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
