import { localClient } from '../../../local/stack/local-client.ts';
import { assert, waitUntil } from '../conditions.ts';
import type { StepContext } from '../step-context.ts';

const tenMinutes = { minutes: 10, everySeconds: 1 };

/** Restores the tables to an earlier time, as docs/operations/backup-and-restore.md describes. */
export async function restore(context: StepContext): Promise<void> {
  const { target } = context;
  const prepared = await prepareRecords(context);
  const attested = await digestsOf(context);
  context.log(`restoring the tables${target.isAws ? ', about 20 minutes' : ''}`);
  const existing = await prepared.restoreTables();
  context.log('deploying the stack onto the restored tables');
  await target.update({ existing }, true);
  if (target.isAws) context.proven('point-in-time recovery restored five tables, and the stack uses them');
  else
    context.notProven(
      "DynamoDB's point-in-time recovery",
      'an emulator cannot restore an earlier state, so the rehearsal used backups',
    );
  await proveKeyRejected(context, prepared.lateKey);
  await requireWebhook(context, prepared.webhookId);
  await resync(context);
  for (const [id, index] of prepared.before) {
    const { attestationIndex } = await context.waitUntilConfirmed(id);
    assert(attestationIndex === index, `${id} has index ${attestationIndex} after the restore, not ${index}`);
  }
  context.proven(
    'attestations that were confirmed, committed, or accepted at the restore time are confirmed with the same index',
  );
  await waitUntil(
    'webhooks get events of attestations confirmed since the restore',
    tenMinutes,
    async () => (await requireWebhook(context, prepared.webhookId)) >= prepared.before.size - 1,
  );
  context.proven(
    'webhooks are those of the restore time, and get events from the stream of the restored table',
  );
  await postAgain(context, prepared.late, prepared.lateIndex);
  const isSame = String(await digestsOf(context)) === String(attested);
  assert(isSame, 'the registry has other attestations than before the restore');
  await context.waitUntilConfirmed(await context.post('New after the restore.'));
  const digests = await digestsOf(context);
  assert(new Set(digests).size === digests.length, 'something was attested twice');
  context.proven('nothing was attested twice, and new content is attested');
}

/** Digests on an emulator's chain. Empty on a public chain, which also has the digests of others. */
const digestsOf = async ({ target, attestedDigests }: StepContext): Promise<string[]> =>
  target.isAws ? [] : attestedDigests();

/** Creates attestations, webhooks and keys, some before and some after the restore time. */
async function prepareRecords(context: StepContext) {
  context.log('attesting before and after the restore time');
  const done = await context.post('Confirmed before the restore time.');
  await context.waitUntilConfirmed(done);
  const committed = await context.post('In its reveal delay at the restore time.');
  await waitUntil('it is committed', tenMinutes, async () => {
    const { status } = await context.client().get(committed);
    return status !== 'pending';
  });
  const pending = await context.post('Just accepted at the restore time.');
  const webhookId = await addWebhook(context);
  const restoreTables = await context.target.prepareRestore();
  const before = new Map<string, number>();
  for (const id of [done, committed, pending])
    before.set(id, (await context.waitUntilConfirmed(id)).attestationIndex);
  const late = await context.post('Accepted after the restore time.');
  const { attestationIndex: lateIndex } = await context.waitUntilConfirmed(late);
  const { organizationId } = context.service();
  const { key } = await context.admin('key', 'create', '--org', organizationId, '--mode', 'test');
  await addWebhook(context);
  return { before, late, lateIndex, webhookId, lateKey: String(key), restoreTables };
}

/** Creates a webhook with an unreachable domain, whose events wait. @returns its id */
async function addWebhook(context: StepContext): Promise<string> {
  const { organizationId } = context.service();
  const url = 'https://receiver.invalid/';
  const { id } = await context.admin('webhook', 'create', '--org', organizationId, '--url', url);
  return String(id);
}

/** Checks that this webhook is the only one. @returns the number of events that wait to be delivered to it */
async function requireWebhook(context: StepContext, id: string): Promise<number> {
  const { webhooks } = await context.admin('webhook', 'list');
  const [only, ...others] = webhooks as readonly { readonly id: string; readonly waiting: number }[];
  assert(only?.id === id && others.length === 0, 'webhooks are not those of the restore time');
  return only.waiting;
}

async function proveKeyRejected(context: StepContext, apiKey: string): Promise<void> {
  const client = localClient({ ...context.service(), apiKey });
  await waitUntil(
    'an API key created after the restore time is refused',
    { minutes: 3, everySeconds: 2 },
    () =>
      client.chains().then(
        () => false,
        (error: unknown) => (error as { status?: number }).status === 401,
      ),
  );
  context.proven('an API key created after the restore time is rejected');
}

/** Resyncs until all transactions of the restored lane are final, as docs/operations/backup-and-restore.md describes. */
async function resync(context: StepContext): Promise<void> {
  context.log('resynchronizing the lane');
  const chain = String(context.service().chainId);
  await waitUntil('lane resync is done', { minutes: 15, everySeconds: 3 }, async () => {
    const { exitCode } = await context.tryAdmin('lane', 'resync', '--chain', chain);
    return exitCode === 0;
  });
  context.proven(
    'after lane resync, the lane continues with the nonce after the transactions that its restored table lacks',
  );
}

async function postAgain(context: StepContext, id: string, expectedIndex: number): Promise<void> {
  const lateArticle = context.posted.find((one) => one.id === id);
  const { attestation } = await context.client().attest(lateArticle?.content ?? '');
  assert(attestation.id !== id, 'the attestation from after the restore time still exists');
  const { attestationIndex: index } = await context.waitUntilConfirmed(attestation.id);
  assert(index === expectedIndex, `posted again, it has index ${index} instead of ${expectedIndex}`);
  context.proven('content attested after the restore time keeps its index when it is posted again');
}
