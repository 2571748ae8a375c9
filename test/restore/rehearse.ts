import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type AttestationSummary, ImprimaturClient } from 'imprimatur-client';
import { attestedEvent } from 'imprimatur-contracts/attestation-registry-abi';
import { createPublicClient, http } from 'viem';
import { checkout } from '../../local/checkout.ts';
import { unlessStopped } from '../../local/process/stop-request.ts';
import { Supervisor } from '../../local/process/supervise.ts';
import { deployService } from '../../local/stack/deploy-service.ts';
import { localClient } from '../../local/stack/local-client.ts';
import { type Stack, startStack } from '../../local/stack/stack.ts';
import { runAdminOn } from './admin-on.ts';
import { destroyStack, type Residue } from './destroy.ts';
import { backUpTables, type RestoredTables, restoreTables } from './restore-tables.ts';

const directory = `${checkout}/.local/restore`;

/** Long enough to back up while an attestation is in it. */
const revealDelaySeconds = 20;

/** A sweep or two, and a state that waits for its time-out. */
const patience = { timeoutSeconds: 700 };

/** What the rehearsal showed; a step that shows anything else throws. */
export interface Rehearsal {
  readonly shown: readonly string[];
}

interface Options {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Something is not as it has to be after a restore. */
class RehearsalFailedError extends Error {
  override readonly name = 'RehearsalFailedError';
}

function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new RehearsalFailedError(what);
}

/** Rehearses a restore on a local stack of its own, which is stopped afterwards. @throws RehearsalFailedError */
export async function rehearse({ log, signal }: Options): Promise<Rehearsal> {
  const stack = await startStack({ directory, revealDelaySeconds, variables: {}, log, signal });
  try {
    return await unlessStopped(signal, restoreOn(stack, log));
  } finally {
    await stack.stop();
  }
}

async function restoreOn(stack: Stack, log: (line: string) => void): Promise<Rehearsal> {
  const shown: string[] = [];
  const show = (line: string) => {
    shown.push(line);
    log(`shown: ${line}`);
  };
  const client = localClient(stack.file);
  const { before, lost, backups, lateKey, webhookId } = await liveOn(stack, client, log);
  const attested = await attestedDigests(stack);
  log('restoring the tables, and deploying the stack onto them');
  const restored = await restoreTables(stack.endpoint, backups);
  await deployOnto(stack, restored);
  await keyIsGone(stack, lateKey);
  show('an API key of after the point is refused');
  await requireWebhook(webhookId);
  show('webhooks are those of the point');
  await resync(stack, log);
  show('the lane goes on behind the transactions that its table does not know');
  for (const { id, attestationIndex } of before) {
    const again = await client.waitUntilConfirmed(id, patience);
    demand(
      again.attestationIndex === attestationIndex,
      `${id} has index ${again.attestationIndex}, not ${attestationIndex}`,
    );
  }
  show(
    `${before.length} attestations that were under way at the point are confirmed with the indices that they had`,
  );
  await until(async () => (await requireWebhook(webhookId)) >= before.length - 1);
  show('what was confirmed since the restore is queued for them, by the stream of the restored table');
  const { attestation: repeated } = await client.attest(lost.content);
  demand(repeated.id !== lost.id, 'the attestation of after the point is still there');
  const { attestationIndex } = await client.waitUntilConfirmed(repeated.id, patience);
  demand(attestationIndex === lost.attestationIndex, `posted again it has index ${attestationIndex}`);
  show('content attested after the point, posted again, is confirmed with the index that it had');
  demand(String(await attestedDigests(stack)) === String(attested), 'something was attested twice');
  show(`the registry has the ${attested.length} attestations that it had: nothing was attested twice`);
  const { attestation: fresh } = await client.attest('What is new after the restore.');
  await client.waitUntilConfirmed(fresh.id, patience);
  show('new content is attested');
  const digests = await attestedDigests(stack);
  demand(
    new Set(digests).size === digests.length && digests.length === attested.length + 1,
    'the registry has others',
  );
  // An emulator on a busy machine may be too slow to be asked.
  await until(async () => {
    const report = await runAdminOn(directory, 'doctor');
    log(`doctor: ${report.counted ?? report.error}`);
    demand(report.exitCode !== 1, `doctor finds a problem: ${JSON.stringify(report)}`);
    return report.exitCode === 0;
  });
  show('doctor finds no problem');
  log('deleting the stack');
  requireRetained(stack, restored, await destroyStack(stack));
  show(
    'of the deleted stack its tables, their copies, the signing key and the RPC URLs are left, and nothing that runs',
  );
  return { shown };
}

/** Retention says: tables and key outlive the stack, and what the stack did not make it leaves alone. */
function requireRetained({ outputs, file }: Stack, restored: RestoredTables, residue: Residue): void {
  const { AttestationsTable, LanesTable, QueueTable, OrganizationsTable, WebhooksTable, RpcUrlsPath } =
    outputs;
  const { attestationsStream: _, ...copies } = restored;
  const own = [AttestationsTable, LanesTable, QueueTable, OrganizationsTable, WebhooksTable];
  const expected: Residue = {
    tables: [...own, ...Object.values(copies)].sort(),
    parameters: [`${RpcUrlsPath}/${file.chainId}`],
    signingKey: 'Enabled',
    others: [],
  };
  demand(isDeepStrictEqual(residue, expected), `of the deleted stack is left ${JSON.stringify(residue)}`);
}

type Confirmed = Pick<AttestationSummary, 'id'> & { readonly attestationIndex: number };

/** Life before the disaster: attestations on both sides of the point that is restored to. */
async function liveOn(stack: Stack, client: ImprimaturClient, log: (line: string) => void) {
  const post = async (content: string) => (await client.attest(content)).attestation;
  const confirmed = async ({ id }: AttestationSummary): Promise<Confirmed> => {
    const { attestationIndex } = await client.waitUntilConfirmed(id, patience);
    return { id, attestationIndex };
  };
  const done = await confirmed(await post('Confirmed before the point.'));
  const committed = await post('In its reveal delay at the point.');
  await until(async () => (await client.get(committed.id)).status === 'committed');
  const pending = await post('Just accepted at the point.');
  const webhookId = await addWebhook(stack);
  log('backing the tables up: the point that is restored to');
  const backups = await backUpTables(stack.endpoint, stack.outputs);
  const before = [done, await confirmed(committed), await confirmed(pending)];
  const content = 'Accepted after the point.';
  const lost = { content, ...(await confirmed(await post(content))) };
  const { key } = await runAdminOn(directory, 'key', 'create', '--org', stack.file.organizationId);
  await addWebhook(stack);
  return { before, lost, backups, lateKey: String(key), webhookId };
}

/** Registers an address that no domain leads to: what is queued for it waits. @returns its id */
async function addWebhook({ file }: Stack): Promise<string> {
  const url = 'https://receiver.invalid/';
  const args = ['webhook', 'create', '--org', file.organizationId, '--url', url];
  return String((await runAdminOn(directory, ...args)).id);
}

/** Demands that it is the only webhook. @returns how many events wait for it */
async function requireWebhook(id: string): Promise<number> {
  const { webhooks } = (await runAdminOn(directory, 'webhook', 'list')) as {
    webhooks: { id: string; waiting: number }[];
  };
  const ids = webhooks.map((webhook) => webhook.id);
  demand(isDeepStrictEqual(ids, [id]), `after the restore there are the webhooks ${ids.join(', ')}`);
  return webhooks[0]?.waiting ?? 0;
}

/** Deploys the same stack with the restored tables in place of its own. */
async function deployOnto({ endpoint, file }: Stack, tables: RestoredTables): Promise<void> {
  const settings = JSON.parse(readFileSync(`${directory}/settings.json`, 'utf8'));
  const supervisor = await Supervisor.open(`${directory}/restored`);
  try {
    const stackName = file.stackName ?? 'Imprimatur';
    await deployService({ supervisor, endpoint, stackName, settings: { ...settings, existing: { tables } } });
  } finally {
    await supervisor.stop();
  }
}

async function keyIsGone({ file }: Stack, apiKey: string): Promise<void> {
  const late = new ImprimaturClient({ url: file.apiUrl, apiKey, allowHttp: true });
  const status = await late.chains().then(
    () => 200,
    (error: unknown) => (error as { status?: number }).status,
  );
  demand(status === 401, `an API key of after the point is answered ${status}`);
}

/** As the runbook says: resync until all that the restored lane knows is final. */
async function resync({ file }: Stack, log: (line: string) => void): Promise<void> {
  await until(async () => {
    const answer = await runAdminOn(directory, 'lane', 'resync', '--chain', String(file.chainId));
    log(`lane resync: ${answer.error ?? `goes on with nonce ${JSON.stringify(answer.nonces)}`}`);
    return answer.error === undefined;
  });
}

async function attestedDigests({ file }: Stack): Promise<string[]> {
  const client = createPublicClient({ transport: http(file.rpcUrl) });
  const logs = await client.getLogs({ address: file.registryAddress, event: attestedEvent, fromBlock: 0n });
  return logs.map(({ args }) => String(args.ipfsHash)).sort();
}

/** Asks again every second. */
async function until(condition: () => Promise<boolean>, seconds = 600): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new RehearsalFailedError(`not reached in ${seconds} s`);
    await setTimeout(1_000);
  }
}
