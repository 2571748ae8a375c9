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
  /** Seconds after the last text was sent; unlimited by default. */
  readonly timeout?: number;
  readonly proof?: string | true;
  readonly linkCorrections?: true;
  readonly exactText?: true;
}

export interface ArchiveWork {
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

/** Runs `work` for each item, with at most `atOnce` in parallel. */
export async function eachOf<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** The manifest line of a file with this attestation, and its earlier attestations that are not yet linked. */
export function entryOf(
  { entries }: Pick<Manifest, 'entries'>,
  { file }: Article,
  { contentCid, id, status }: Pick<ManifestEntry, 'contentCid' | 'id' | 'status'>,
): ManifestEntry {
  const before = entries.get(file);
  const isChanged = before !== undefined && before.contentCid !== contentCid && before.status !== 'failed';
  const older = [...(before?.corrects ?? []), ...(isChanged ? [before.id] : [])];
  const corrects = [...new Set(older)].filter((old) => old !== id);
  return { file, contentCid, id, status, ...(corrects.length > 0 && { corrects }) };
}

const largestPage = 200;

/**
 * Reads the current state of attestations with few requests: from the newest pages of the list while these contain any
 * of them, then one by one. Yields `undefined` for an attestation that the service does not have.
 */
export async function* readAttestations(
  { client, retry, signal }: Pick<ArchiveWork, 'client' | 'retry' | 'signal'>,
  ids: readonly string[],
): AsyncGenerator<readonly [id: string, attestation: Attestation | undefined]> {
  const wanted = new Set(ids);
  let cursor: string | undefined;
  do {
    const page = await retry.run(() => client.list({ limit: largestPage, cursor, signal }));
    const found = page.attestations.filter(({ id }) => wanted.delete(id));
    for (const attestation of found) yield [attestation.id, attestation];
    // Other attestations may fill many pages.
    cursor = found.length > 0 && wanted.size > 0 ? page.nextCursor : undefined;
  } while (cursor !== undefined);
  for (const id of wanted) yield [id, await ifFound(retry.run(() => client.get(id, { signal })))];
}

export async function ifFound<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Writes missing proof files beside confirmed texts. @returns the files that could not be written */
export async function proveTexts(work: ArchiveWork, texts: readonly PlannedText[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (work.options.proof)
    await eachOf(texts, work.options.concurrency, async (text) => {
      faults.push(...(await proveText(work, text)));
    });
  return faults;
}

async function proveText(work: ArchiveWork, { articles }: PlannedText): Promise<Fault[]> {
  const { client, signal, retry, manifest } = work;
  const isLacking = ({ file, path }: Article) =>
    manifest.entries.get(file)?.proof === undefined || !existsSync(proofPathOf(path));
  const lacking = articles.filter(isLacking);
  const id = lacking[0] && manifest.entries.get(lacking[0].file)?.id;
  if (id === undefined) return [];
  const readProof = async () => ({
    attestation: await client.get(id, { signal }),
    proof: await client.proof(id, { signal }),
  });
  // A service that was restored from a backup may not have it.
  const served = await ifFound(retry.run(readProof));
  if (!served) {
    const error = `the service has no attestation ${id}; to attest the file again, remove its line from the manifest`;
    return lacking.map(({ file }) => ({ file, error }));
  }
  const faults: Fault[] = [];
  for (const article of lacking) {
    try {
      await writeProof(proofPathOf(article.path), served.proof, served.attestation);
      const entry = manifest.entries.get(article.file);
      if (entry) await manifest.put([{ ...entry, proof: proofName(article) }]);
    } catch (error) {
      if (!(error instanceof ProofUnwrittenError)) throw error;
      faults.push({ file: article.file, error: `${proofPathOf(article.path)} cannot be written` });
    }
  }
  return faults;
}

const ofLink = [LinkFailedError, AttestationUnconfirmedError, NotFoundError, WaitTimeoutError];

/**
 * Links earlier attestations of a file to its current one. An attestation that another file still uses is not linked,
 * because its readers would be led to a text that does not correct it.
 */
export async function linkCorrections(work: ArchiveWork): Promise<{ faults: Fault[]; notes: string[] }> {
  const { manifest, plan, options } = work;
  const [faults, notes] = [[] as Fault[], [] as string[]];
  const current = new Set([...manifest.entries.values()].map(({ id }) => id));
  const whyItWaits = (old: string, id: string): string | undefined => {
    if (current.has(old)) return `another file still has the text of ${old}`;
    // IDs sort by time. A text that returned to an earlier version corrects nothing, so the newer version waits for the
    // next text.
    return old > id ? `its text is again an older one than ${old}` : undefined;
  };
  const entries = plan.texts
    .flatMap(({ articles }) => articles)
    .flatMap(({ file }) => manifest.entries.get(file) ?? [])
    .filter(({ status, corrects }) => status === 'confirmed' && corrects);
  await eachOf(entries, options.concurrency, async (entry) => {
    const { corrects = [], ...linked } = entry;
    const left: string[] = [];
    for (const old of corrects) {
      const reason = whyItWaits(old, entry.id);
      const trouble = reason === undefined ? await link(work, old, entry) : undefined;
      if (reason !== undefined) notes.push(`${entry.file}: not linked, because ${reason}`);
      if (trouble !== undefined) faults.push({ file: entry.file, error: `${old} is not linked: ${trouble}` });
      if (reason !== undefined || trouble !== undefined) left.push(old);
    }
    if (left.length === corrects.length) return;
    await manifest.put([left.length > 0 ? { ...linked, corrects: left } : linked]);
  });
  return { faults, notes };
}

/** @returns the reason why it is not linked */
async function link({ client, retry, signal, options }: ArchiveWork, old: string, { id }: ManifestEntry) {
  try {
    await retry.run(() => client.link(old, id, { signal }));
    await retry.run(() => client.waitUntilLinked(old, id, { signal, timeoutSeconds: options.timeout }));
  } catch (error) {
    if (error instanceof Error && ofLink.some((kind) => error instanceof kind)) return error.message;
    throw error;
  }
}
