import { existsSync } from 'node:fs';
import {
  type Attestation,
  AttestationUnconfirmedError,
  type AttestFields,
  type Clock,
  type ImprimaturClient,
  LinkFailedError,
  NotFoundError,
  WaitTimeoutError,
} from 'imprimatur-client';
import { proofPathOf } from 'imprimatur-verifier';
import { ProofUnwrittenError } from '../errors.ts';
import { writeProof } from '../files/write-proof.ts';
import type { Manifest, ManifestEntry } from './manifest.ts';
import { type Article, type Fault, type Plan, type PlannedText, proofName } from './plan.ts';
import type { SharedRetry } from './shared-retry.ts';

export interface ArchiveOptions {
  readonly list?: string;
  readonly manifest: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly concurrency: number;
  readonly chain?: number;
  readonly rpc?: readonly string[];
  readonly wait?: boolean;
  /** Seconds to wait for any answer, for confirmations after the last send, and for each link (default: no limit). */
  readonly timeout?: number;
  readonly proof?: string | true;
  readonly linkCorrections?: true;
  readonly exactText?: true;
}

export interface RunContext {
  readonly client: ImprimaturClient;
  readonly retry: SharedRetry;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly manifest: Manifest;
  readonly plan: Plan;
  /** Chain and metadata of all texts. */
  readonly fields: AttestFields;
  readonly options: ArchiveOptions;
}

/** Runs `action` for each item, at most `concurrency` at the same time. */
export async function runAll<Item>(
  items: Iterable<Item>,
  concurrency: number,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await action(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

/** Makes the manifest entry of a file with this attestation. It keeps earlier attestations that are not yet linked. */
export function entryOf(
  { entries }: Pick<Manifest, 'entries'>,
  { file }: Article,
  { contentCid, id, status }: Pick<ManifestEntry, 'contentCid' | 'id' | 'status'>,
): ManifestEntry {
  const prior = entries.get(file);
  const isChanged = prior !== undefined && prior.contentCid !== contentCid && prior.status !== 'failed';
  const older = [...(prior?.corrects ?? []), ...(isChanged ? [prior.id] : [])];
  const corrects = [...new Set(older)].filter((old) => old !== id);
  return { file, contentCid, id, status, ...(corrects.length > 0 && { corrects }) };
}

const maxPageSize = 200;

/**
 * Reads the current state of attestations with few requests: from the newest pages of the list while a page contains any
 * of them, then one by one. Yields `undefined` for an attestation that the service does not have.
 */
export async function* readAttestations(
  { client, retry, signal }: Pick<RunContext, 'client' | 'retry' | 'signal'>,
  ids: readonly string[],
): AsyncGenerator<readonly [id: string, attestation: Attestation | undefined]> {
  const remaining = new Set(ids);
  let cursor: string | undefined;
  do {
    const page = await retry.run(() => client.list({ limit: maxPageSize, cursor, signal }));
    const found = page.attestations.filter(({ id }) => remaining.delete(id));
    for (const attestation of found) yield [attestation.id, attestation];
    // Other attestations may fill many pages.
    cursor = found.length > 0 && remaining.size > 0 ? page.nextCursor : undefined;
  } while (cursor !== undefined);
  for (const id of remaining) yield [id, await ifExists(retry.run(() => client.get(id, { signal })))];
}

export async function ifExists<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Writes missing proof files beside confirmed texts. @returns faults for the texts that still lack one */
export async function proveTexts(context: RunContext, texts: readonly PlannedText[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (context.options.proof)
    await runAll(texts, context.options.concurrency, async (text) => {
      faults.push(...(await proveText(context, text)));
    });
  return faults;
}

async function proveText(context: RunContext, { articles }: PlannedText): Promise<Fault[]> {
  const { client, signal, retry, manifest } = context;
  const needsProof = ({ file, path }: Article) =>
    manifest.entries.get(file)?.proof === undefined || !existsSync(proofPathOf(path));
  const unproven = articles.filter(needsProof);
  const id = unproven[0] && manifest.entries.get(unproven[0].file)?.id;
  if (id === undefined) return [];
  const readProof = async () => ({
    attestation: await client.get(id, { signal }),
    proof: await client.proof(id, { signal }),
  });
  // A service that was restored from a backup may not have the attestation.
  const answer = await ifExists(retry.run(readProof));
  if (!answer) {
    const error = `the service has no attestation ${id}; to attest the file again, remove its line from the manifest`;
    return unproven.map(({ file }) => ({ file, error }));
  }
  const faults: Fault[] = [];
  for (const article of unproven) {
    try {
      await writeProof(proofPathOf(article.path), answer.proof, answer.attestation);
      const entry = manifest.entries.get(article.file);
      if (entry) await manifest.put([{ ...entry, proof: proofName(article) }]);
    } catch (error) {
      if (!(error instanceof ProofUnwrittenError)) throw error;
      faults.push({ file: article.file, error: `${proofPathOf(article.path)} cannot be written` });
    }
  }
  return faults;
}

const linkErrors = [LinkFailedError, AttestationUnconfirmedError, NotFoundError, WaitTimeoutError];

/**
 * Links earlier attestations of a file to its current one. An attestation that another file still uses is not linked,
 * because its readers would be led to a text that does not correct it.
 */
export async function linkCorrections(context: RunContext): Promise<{ faults: Fault[]; notes: string[] }> {
  const { manifest, plan, options } = context;
  const [faults, notes] = [[] as Fault[], [] as string[]];
  const current = new Set([...manifest.entries.values()].map(({ id }) => id));
  const reasonToWait = (old: string, id: string): string | undefined => {
    if (current.has(old)) return `another file still has the text of ${old}`;
    // IDs sort by time. A text that returned to an earlier version corrects nothing, so the newer version waits for the
    // next text.
    return old > id ? `its text returned to a version that is older than ${old}` : undefined;
  };
  const entries = plan.texts
    .flatMap(({ articles }) => articles)
    .flatMap(({ file }) => manifest.entries.get(file) ?? [])
    .filter(({ status, corrects }) => status === 'confirmed' && corrects);
  await runAll(entries, options.concurrency, async (entry) => {
    const { corrects = [], ...linked } = entry;
    const unlinked: string[] = [];
    for (const old of corrects) {
      const reason = reasonToWait(old, entry.id);
      const failure = reason === undefined ? await link(context, old, entry) : undefined;
      if (reason !== undefined) notes.push(`${entry.file}: not linked, because ${reason}`);
      if (failure !== undefined) faults.push({ file: entry.file, error: `${old} is not linked: ${failure}` });
      if (reason !== undefined || failure !== undefined) unlinked.push(old);
    }
    if (unlinked.length === corrects.length) return;
    await manifest.put([unlinked.length > 0 ? { ...linked, corrects: unlinked } : linked]);
  });
  return { faults, notes };
}

/** @returns the reason for a failure; `undefined` if the link is mined */
async function link({ client, retry, signal, options }: RunContext, old: string, { id }: ManifestEntry) {
  try {
    await retry.run(() => client.link(old, id, { signal }));
    const timeoutSeconds = options.timeout ?? Number.POSITIVE_INFINITY;
    await retry.run(() => client.waitUntilLinked(old, id, { signal, timeoutSeconds }));
  } catch (error) {
    if (error instanceof Error && linkErrors.some((type) => error instanceof type)) return error.message;
    throw error;
  }
}
