import { localClient } from '../../../local/stack/local-client.ts';
import { demand, until } from '../run.ts';
import type { Scene } from '../scene.ts';

const whileBusy = { minutes: 10, everySeconds: 1 };

/** The tables are brought back to an earlier moment, as docs/operations/backup-and-restore.md describes. */
export async function restore(scene: Scene): Promise<void> {
  const { place } = scene;
  const life = await liveOn(scene);
  const attested = await digestsOf(scene);
  scene.log(`restoring the tables${place.isAws ? ', about 20 minutes' : ''}`);
  const existing = await life.restoreTables();
  scene.log('deploying the stack onto the restored tables');
  await place.update({ existing }, true);
  if (place.isAws) scene.proven('point-in-time recovery restored five tables, and the stack uses them');
  else
    scene.notProven(
      "DynamoDB's point-in-time recovery",
      'an emulator restores only the present, so the rehearsal used backups',
    );
  await keyIsGone(scene, life.lateKey);
  await requireWebhook(scene, life.webhookId);
  await resync(scene);
  for (const [id, index] of life.before) {
    const { attestationIndex } = await scene.confirmed(id);
    demand(attestationIndex === index, `${id} has index ${attestationIndex} after the restore, not ${index}`);
  }
  scene.proven(
    'attestations that were confirmed, committed, or accepted at the restore time are confirmed with the same index',
  );
  await until(
    'webhooks get events of attestations confirmed since the restore',
    whileBusy,
    async () => (await requireWebhook(scene, life.webhookId)) >= life.before.size - 1,
  );
  scene.proven(
    'webhooks are those of the restore time, and get events from the stream of the restored table',
  );
  await repeat(scene, life.late, life.lateIndex);
  const isSame = String(await digestsOf(scene)) === String(attested);
  demand(isSame, 'the registry has other attestations than before the restore');
  await scene.confirmed(await scene.post('What is new after the restore.'));
  const digests = await digestsOf(scene);
  demand(new Set(digests).size === digests.length, 'something was attested twice');
  scene.proven('nothing was attested twice, and new content is attested');
}

/** Digests on an emulator's chain. A public chain has those of others too. */
const digestsOf = async ({ place, attestedDigests }: Scene): Promise<string[]> =>
  place.isAws ? [] : attestedDigests();

/** Life before the disaster: attestations, webhooks and keys on both sides of the moment that is restored to. */
async function liveOn(scene: Scene) {
  scene.log('attesting before and after the time to restore');
  const done = await scene.post('Confirmed before the moment.');
  await scene.confirmed(done);
  const committed = await scene.post('In its reveal delay at the moment.');
  await until('it is committed', whileBusy, async () => {
    const { status } = await scene.client().get(committed);
    return status !== 'pending';
  });
  const pending = await scene.post('Just accepted at the moment.');
  const webhookId = await addWebhook(scene);
  const restoreTables = await scene.place.markMoment();
  const before = new Map<string, number>();
  for (const id of [done, committed, pending]) before.set(id, (await scene.confirmed(id)).attestationIndex);
  const late = await scene.post('Accepted after the moment.');
  const { attestationIndex: lateIndex } = await scene.confirmed(late);
  const { organizationId } = scene.service();
  const { key } = await scene.admin('key', 'create', '--org', organizationId, '--mode', 'test');
  await addWebhook(scene);
  return { before, late, lateIndex, webhookId, lateKey: String(key), restoreTables };
}

/** Creates a webhook with an unreachable domain, whose events wait. @returns its id */
async function addWebhook(scene: Scene): Promise<string> {
  const { organizationId } = scene.service();
  const url = 'https://receiver.invalid/';
  const { id } = await scene.admin('webhook', 'create', '--org', organizationId, '--url', url);
  return String(id);
}

/** Demands that it is the only webhook. @returns how many events wait for it */
async function requireWebhook(scene: Scene, id: string): Promise<number> {
  const { webhooks } = await scene.admin('webhook', 'list');
  const [only, ...others] = webhooks as readonly { readonly id: string; readonly waiting: number }[];
  demand(only?.id === id && others.length === 0, 'webhooks are not those of the restore time');
  return only.waiting;
}

async function keyIsGone(scene: Scene, apiKey: string): Promise<void> {
  const client = localClient({ ...scene.service(), apiKey });
  await until('an API key of after the moment is refused', { minutes: 3, everySeconds: 2 }, () =>
    client.chains().then(
      () => false,
      (error: unknown) => (error as { status?: number }).status === 401,
    ),
  );
  scene.proven('an API key created after the restore time is rejected');
}

/** As in docs/operations/backup-and-restore.md: resync until all transactions of the restored lane are final. */
async function resync(scene: Scene): Promise<void> {
  scene.log('resynchronizing the lane');
  const chain = String(scene.service().chainId);
  await until('lane resync is done', { minutes: 15, everySeconds: 3 }, async () => {
    const { exitCode } = await scene.tryAdmin('lane', 'resync', '--chain', chain);
    return exitCode === 0;
  });
  scene.proven('the lane resumes after the transactions that its table does not have');
}

async function repeat(scene: Scene, id: string, had: number): Promise<void> {
  const lost = scene.posted.find((one) => one.id === id);
  const { attestation } = await scene.client().attest(lost?.content ?? '');
  demand(attestation.id !== id, 'the attestation from after the restore time still exists');
  const { attestationIndex: index } = await scene.confirmed(attestation.id);
  demand(index === had, `posted again, it has index ${index} instead of ${had}`);
  scene.proven('content attested after the restore time keeps its index when it is posted again');
}
