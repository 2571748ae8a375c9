import type { AttestFields, Clock, ImprimaturClient } from 'imprimatur-client';
import type { Manifest, ManifestEntry } from './manifest.ts';
import type { Patience } from './patience.ts';
import type { Article, Plan } from './plan.ts';

/** What a run works with. */
export interface ArchiveWork {
  readonly client: ImprimaturClient;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly manifest: Manifest;
  readonly plan: Plan;
  /** Chain and metadata, which are those of all texts. */
  readonly fields: AttestFields;
  readonly concurrency: number;
  readonly wait: boolean;
  /** Seconds after the last request to attest; without it the wait has no limit. */
  readonly timeout: number | undefined;
  readonly proof: boolean;
  readonly linkCorrections: boolean;
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
