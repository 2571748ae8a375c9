import { ImprimaturClient } from 'imprimatur-client';
import { demand, until } from '../demand.ts';
import { onlyAws, type Scene } from '../scene.ts';

/** The tables are brought back to an earlier moment, as docs/runbook.md says under "Restoring". */
export async function restore(scene: Scene): Promise<void> {
  const { place } = scene;
  const client = scene.client();
  scene.waitFor('an attestation on each side of the moment that is restored to');
  const early = await scene.post('Accepted before the moment.');
  await until('it is committed', { minutes: 10, everySeconds: 1 }, async () => {
    const { status } = await client.get(early);
    return status !== 'pending';
  });
  const webhookId = await addWebhook(scene);
  const moment = await place.markMoment();
  const { attestationIndex: earlyIndex } = await scene.confirmed(early);
  const late = await scene.post('Accepted after the moment.');
  const { attestationIndex: lateIndex } = await scene.confirmed(late);
  const { key } = await scene.admin(
    'key',
    'create',
    '--org',
    scene.service().organizationId,
    '--mode',
    'test',
  );
  await addWebhook(scene);
  scene.waitFor(place.isAws ? 'restoring the tables, some twenty minutes' : 'restoring the tables');
  const tables = await moment.restore();
  scene.waitFor('deploying the stack onto the restored tables');
  await place.update({ existing: { tables } }, true);
  if (place.isAws) scene.proven('point-in-time recovery restored five tables, and the stack took them');
  else scene.notProven("DynamoDB's point-in-time recovery", onlyAws.recovery);
  await keyIsGone(scene, String(key));
  const webhooks = await listWebhooks(scene);
  demand(webhooks.map(({ id }) => id).join() === webhookId, 'webhooks are not those of the moment');
  await resync(scene);
  const { attestationIndex: earlyAgain } = await scene.confirmed(early);
  demand(earlyAgain === earlyIndex, `${early} has index ${earlyAgain} after the restore, not ${earlyIndex}`);
  scene.proven('what was under way at the moment is confirmed with the index that it had');
  await until('the restored stream tells webhooks', { minutes: 10, everySeconds: 3 }, async () =>
    (await listWebhooks(scene)).some(({ waiting }) => waiting > 0),
  );
  scene.proven('webhooks are those of the moment, and hear by the stream of the restored table');
  await repeat(scene, { id: late, index: lateIndex });
}

/** Registers an address that no domain leads to: what is queued for it waits. @returns its id */
async function addWebhook(scene: Scene): Promise<string> {
  const { organizationId } = scene.service();
  const url = 'https://receiver.invalid/';
  const { id } = await scene.admin('webhook', 'create', '--org', organizationId, '--url', url);
  return String(id);
}

interface ListedWebhook {
  readonly id: string;
  /** Number of events that wait for it. */
  readonly waiting: number;
}

async function listWebhooks(scene: Scene): Promise<readonly ListedWebhook[]> {
  const { webhooks } = await scene.admin('webhook', 'list');
  return webhooks as ListedWebhook[];
}

async function keyIsGone(scene: Scene, apiKey: string): Promise<void> {
  const { apiUrl } = scene.service();
  const client = new ImprimaturClient({ url: apiUrl, apiKey, allowHttp: !scene.place.isAws });
  await until('an API key of after the moment is refused', { minutes: 3, everySeconds: 2 }, () =>
    client.chains().then(
      () => false,
      (error: unknown) => (error as { status?: number }).status === 401,
    ),
  );
  scene.proven('an API key that was made after the moment is refused');
}

async function resync(scene: Scene): Promise<void> {
  scene.waitFor('the lane is resynchronised');
  const chain = String(scene.service().chainId);
  await until('lane resync is done', { minutes: 15, everySeconds: 3 }, () =>
    scene.admin('lane', 'resync', '--chain', chain).then(
      () => true,
      // It says what it waits for until all that it knows is final.
      () => false,
    ),
  );
  scene.proven('the lane goes on behind the transactions that its table does not know');
}

async function repeat(scene: Scene, { id, index }: { id: string; index: number }): Promise<void> {
  const lost = scene.posted.find((one) => one.id === id);
  const { attestation } = await scene.client().attest(lost?.content ?? '');
  demand(attestation.id !== id, 'the attestation of after the moment is still there');
  const { attestationIndex } = await scene.confirmed(attestation.id);
  demand(attestationIndex === index, `posted again it has index ${attestationIndex}, and had ${index}`);
  scene.proven('what was attested after the moment, posted again, has the index that it had: attested once');
}
