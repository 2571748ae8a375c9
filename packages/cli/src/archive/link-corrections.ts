import {
  AttestationUnconfirmedError,
  LinkFailedError,
  NotFoundError,
  WaitTimeoutError,
} from 'imprimatur-client';
import type { ManifestEntry } from './manifest.ts';
import type { Fault } from './plan.ts';
import { type ArchiveWork, eachOf } from './work.ts';

/** Errors of a link alone. */
function isOfLink(error: unknown): error is Error {
  return [LinkFailedError, AttestationUnconfirmedError, NotFoundError, WaitTimeoutError].some(
    (kind) => error instanceof kind,
  );
}

/**
 * Links what files were attested as before to what they are attested as now. An attestation that is another file's too stays
 * as it is: its readers would be led to a text that does not correct it.
 */
export async function linkCorrections(work: ArchiveWork): Promise<{ faults: Fault[]; notes: string[] }> {
  const { manifest, plan, concurrency } = work;
  const [faults, notes] = [[] as Fault[], [] as string[]];
  const current = new Set([...manifest.entries.values()].map(({ id }) => id));
  const entries = plan.texts
    .flatMap(({ articles }) => articles)
    .flatMap(({ file }) => manifest.entries.get(file) ?? [])
    .filter(({ status }) => status === 'confirmed');
  await eachOf(entries, concurrency, async (entry) => {
    const { corrects = [], ...linked } = entry;
    if (corrects.length === 0) return;
    const left: string[] = [];
    const whyItWaits = (old: string): string | undefined => {
      if (current.has(old)) return `another file still has the text of ${old}`;
      // Ids sort by time. A text that is again what it was before corrects nothing: what is newer waits for the next text.
      return old > entry.id ? `its text is again one from before ${old}` : undefined;
    };
    for (const old of corrects) {
      const reason = whyItWaits(old);
      const trouble = reason === undefined ? await link(work, old, entry) : undefined;
      if (reason !== undefined) notes.push(`${entry.file}: ${reason}: not linked`);
      if (trouble !== undefined) faults.push({ file: entry.file, error: `${old} is not linked: ${trouble}` });
      if (reason !== undefined || trouble !== undefined) left.push(old);
    }
    if (left.length === corrects.length) return;
    await manifest.put([left.length > 0 ? { ...linked, corrects: left } : linked]);
  });
  return { faults, notes };
}

/** @returns why it is not linked */
async function link(
  { client, patience, signal, timeout }: ArchiveWork,
  old: string,
  { id }: ManifestEntry,
): Promise<string | undefined> {
  try {
    await patience.run(() => client.link(old, id, { signal }));
    await patience.run(() => client.waitUntilLinked(old, id, { signal, timeoutSeconds: timeout }));
  } catch (error) {
    if (isOfLink(error)) return error.message;
    throw error;
  }
}
