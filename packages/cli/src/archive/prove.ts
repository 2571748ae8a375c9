import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { NotFoundError } from 'imprimatur-client';
import { proofBeside } from 'imprimatur-verifier';
import { ProofUnwrittenError, UsageInvalidError } from '../errors.ts';
import { writeProof } from '../files/write-proof.ts';
import type { Article, Fault, PlannedText } from './plan.ts';
import { type ArchiveWork, eachOf } from './work.ts';

/** Refuses texts whose proof files would be one. @throws UsageInvalidError */
export function checkProofPaths(articles: readonly Article[]): void {
  const paths = new Map<string, string>();
  for (const { path } of articles) {
    const proof = proofBeside(path);
    const other = paths.get(proof);
    if (other !== undefined)
      throw new UsageInvalidError(
        `${other} and ${path} would have one proof file, ${proof}: attest one of them by itself`,
      );
    paths.set(proof, path);
  }
}

/** The path of a text's proof file as the manifest names it. */
const proofName = ({ path, file }: Article): string =>
  join(dirname(file), relative(dirname(path), proofBeside(path))).replaceAll('\\', '/');

/** Writes the proof files that are wanted beside confirmed texts and are not there. @returns what could not be written */
export async function proveTexts(work: ArchiveWork, texts: readonly PlannedText[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (work.proof)
    await eachOf(texts, work.concurrency, async (text) => {
      faults.push(...(await proveText(work, text)));
    });
  return faults;
}

/** An attestation and its proof; `undefined` where the service does not know it, as after a restore to an earlier point. */
async function proofOf({ client, signal }: ArchiveWork, id: string) {
  try {
    return { attestation: await client.get(id, { signal }), proof: await client.proof(id, { signal }) };
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

async function proveText(work: ArchiveWork, { articles }: PlannedText): Promise<Fault[]> {
  const { patience, manifest } = work;
  const isLacking = ({ file, path }: Article) =>
    manifest.entries.get(file)?.proof === undefined || !existsSync(proofBeside(path));
  const lacking = articles.filter(isLacking);
  const id = lacking[0] && manifest.entries.get(lacking[0].file)?.id;
  if (id === undefined) return [];
  const served = await patience.run(() => proofOf(work, id));
  if (!served) {
    const error = `the service knows no attestation ${id}; take its line out of the manifest to attest it again`;
    return lacking.map(({ file }) => ({ file, error }));
  }
  const { attestation, proof } = served;
  const faults: Fault[] = [];
  for (const article of lacking) {
    try {
      await writeProof(proofBeside(article.path), proof, attestation);
      const entry = manifest.entries.get(article.file);
      if (entry) await manifest.put([{ ...entry, proof: proofName(article) }]);
    } catch (error) {
      if (!(error instanceof ProofUnwrittenError)) throw error;
      faults.push({ file: article.file, error: `${proofBeside(article.path)} cannot be written` });
    }
  }
  return faults;
}
