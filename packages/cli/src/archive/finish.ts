import { existsSync } from 'node:fs';
import {
  AttestationUnconfirmedError,
  LinkFailedError,
  NotFoundError,
  WaitTimeoutError,
} from 'imprimatur-client';
import { proofBeside } from 'imprimatur-verifier';
import { ProofUnwrittenError } from '../errors.ts';
import { writeProof } from '../files/write-proof.ts';
import type { ManifestEntry } from './manifest.ts';
import { type Article, type Fault, type PlannedText, proofName } from './plan.ts';
import { type ArchiveWork, eachOf, knownOnly } from './work.ts';

/** Writes the proof files that are wanted beside confirmed texts and are not there. @returns what could not be written */
export async function proveTexts(work: ArchiveWork, texts: readonly PlannedText[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (work.choice.proof)
    await eachOf(texts, work.choice.concurrency, async (text) => {
      faults.push(...(await proveText(work, text)));
    });
  return faults;
}

async function proveText(work: ArchiveWork, { articles }: PlannedText): Promise<Fault[]> {
  const { client, signal, patience, manifest } = work;
  const isLacking = ({ file, path }: Article) =>
    manifest.entries.get(file)?.proof === undefined || !existsSync(proofBeside(path));
  const lacking = articles.filter(isLacking);
  const id = lacking[0] && manifest.entries.get(lacking[0].file)?.id;
  if (id === undefined) return [];
  const readProof = async () => ({
    attestation: await client.get(id, { signal }),
    proof: await client.proof(id, { signal }),
  });
  // A service that was restored to an earlier point does not know it.
  const served = await knownOnly(patience.run(readProof));
  if (!served) {
    const error = `the service knows no attestation ${id}; take its line out of the manifest to attest it again`;
    return lacking.map(({ file }) => ({ file, error }));
  }
  const faults: Fault[] = [];
  for (const article of lacking) {
    try {
      await writeProof(proofBeside(article.path), served.proof, served.attestation);
      const entry = manifest.entries.get(article.file);
      if (entry) await manifest.put([{ ...entry, proof: proofName(article) }]);
    } catch (error) {
      if (!(error instanceof ProofUnwrittenError)) throw error;
      faults.push({ file: article.file, error: `${proofBeside(article.path)} cannot be written` });
    }
  }
  return faults;
}

const ofLink = [LinkFailedError, AttestationUnconfirmedError, NotFoundError, WaitTimeoutError];

/**
 * Links what files were attested as before to what they are attested as now. An attestation that is another file's too stays
 * as it is: its readers would be led to a text that does not correct it.
 */
export async function linkCorrections(work: ArchiveWork): Promise<{ faults: Fault[]; notes: string[] }> {
  const { manifest, plan, choice } = work;
  const [faults, notes] = [[] as Fault[], [] as string[]];
  const current = new Set([...manifest.entries.values()].map(({ id }) => id));
  const whyItWaits = (old: string, id: string): string | undefined => {
    if (current.has(old)) return `another file still has the text of ${old}`;
    // Ids sort by time. A text that is again what it was before corrects nothing: what is newer waits for the next text.
    return old > id ? `its text is again one from before ${old}` : undefined;
  };
  const entries = plan.texts
    .flatMap(({ articles }) => articles)
    .flatMap(({ file }) => manifest.entries.get(file) ?? [])
    .filter(({ status, corrects }) => status === 'confirmed' && corrects);
  await eachOf(entries, choice.concurrency, async (entry) => {
    const { corrects = [], ...linked } = entry;
    const left: string[] = [];
    for (const old of corrects) {
      const reason = whyItWaits(old, entry.id);
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
  { client, patience, signal, choice }: ArchiveWork,
  old: string,
  { id }: ManifestEntry,
): Promise<string | undefined> {
  try {
    await patience.run(() => client.link(old, id, { signal }));
    await patience.run(() => client.waitUntilLinked(old, id, { signal, timeoutSeconds: choice.timeout }));
  } catch (error) {
    if (error instanceof Error && ofLink.some((kind) => error instanceof kind)) return error.message;
    throw error;
  }
}
