import {
  type Attestation,
  type AttestFields,
  type Clock,
  type ImprimaturClient,
  NotFoundError,
} from 'imprimatur-client';
import type { Manifest, ManifestEntry } from './manifest.ts';
import type { Patience } from './patience.ts';
import type { Article, Plan } from './plan.ts';

export interface ArchiveChoice {
  readonly list?: string;
  readonly manifest: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly concurrency: number;
  readonly chain?: number;
  readonly rpc?: readonly string[];
  readonly wait?: boolean;
  /** Seconds after the last request to attest; without it the wait has no limit. */
  readonly timeout?: number;
  readonly proof?: string | true;
  readonly linkCorrections?: true;
  readonly exactText?: true;
}

export interface ArchiveWork {
  readonly client: ImprimaturClient;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly manifest: Manifest;
  readonly plan: Plan;
  /** Chain and metadata, which are those of all texts. */
  readonly fields: AttestFields;
  readonly choice: ArchiveChoice;
}

/** Does the work for each item, with so many at once. */
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

/** The line of a file that has this attestation now, and what it had before and is not linked to it. */
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
 * Reads attestations as they are now, with few requests: from the list, newest first, as far as its pages have any of them,
 * and each that is not there by its id. `undefined` of one that the service does not know.
 */
export async function* lookAt(
  { client, patience, signal }: Pick<ArchiveWork, 'client' | 'patience' | 'signal'>,
  ids: readonly string[],
): AsyncGenerator<readonly [id: string, attestation: Attestation | undefined]> {
  const wanted = new Set(ids);
  let cursor: string | undefined;
  do {
    const page = await patience.run(() => client.list({ limit: largestPage, cursor, signal }));
    const found = page.attestations.filter(({ id }) => wanted.delete(id));
    for (const attestation of found) yield [attestation.id, attestation];
    // Others' pages may be many: what is left is asked for.
    cursor = found.length > 0 && wanted.size > 0 ? page.nextCursor : undefined;
  } while (cursor !== undefined);
  for (const id of wanted) yield [id, await knownOnly(patience.run(() => client.get(id, { signal })))];
}

/** An answer; `undefined` where the service does not know what it is asked for. */
export async function knownOnly<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
