import { dirname, join, relative, resolve, sep } from 'node:path';
import { proofPathOf } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { contentCid } from '../files/read-content.ts';
import type { ListedArticle } from '../files/read-list.ts';
import type { ManifestEntry } from './manifest.ts';

/** A file of an archive, with its name in the manifest. */
export interface Article extends ListedArticle {
  readonly file: string;
}

export interface PlannedText {
  readonly contentCid: string;
  /** The first one is sent, with its URL. */
  readonly articles: readonly [Article, ...Article[]];
  readonly bytes: number;
}

export interface Fault {
  readonly file: string;
  readonly error: string;
}

export interface Plan {
  readonly texts: readonly PlannedText[];
  readonly faults: readonly Fault[];
  /** Texts that are neither attested nor in progress according to the manifest. */
  readonly toSend: readonly PlannedText[];
  readonly changed: readonly string[];
  /** @throws UsageInvalidError */
  read(article: Article): Promise<string>;
}

/** Names files relative to the manifest's folder, so that the command works from any folder. */
export function articlesOf(listed: readonly ListedArticle[], manifestPath: string): Article[] {
  const folder = dirname(resolve(manifestPath));
  const fileOf = (path: string) => relative(folder, resolve(path)).replaceAll(sep, '/');
  return listed.map((article) => ({ ...article, file: fileOf(article.path) }));
}

export const proofName = ({ path, file }: Article): string =>
  join(dirname(file), relative(dirname(path), proofPathOf(path))).replaceAll('\\', '/');

/** @throws UsageInvalidError if two texts would share a proof file */
export function checkProofPaths(articles: readonly Article[]): void {
  const paths = new Map<string, string>();
  for (const { path } of articles) {
    const proof = proofPathOf(path);
    const otherPath = paths.get(proof);
    if (otherPath !== undefined)
      throw new UsageInvalidError(
        `${otherPath} and ${path} would share the proof file ${proof}; attest one of them separately`,
      );
    paths.set(proof, path);
  }
}

/** Reads each file once and compares it with the manifest. @param onRead called with the number of files read */
export async function planArchive(
  articles: readonly Article[],
  entries: ReadonlyMap<string, ManifestEntry>,
  read: Plan['read'],
  onRead: (count: number) => void,
): Promise<Plan> {
  const byCid = new Map<string, PlannedText & { readonly articles: [Article, ...Article[]] }>();
  const [faults, changed] = [[] as Fault[], [] as string[]];
  for (const [index, article] of articles.entries()) {
    try {
      const content = await read(article);
      const cid = contentCid(content);
      const earlier = entries.get(article.file);
      if (earlier && earlier.contentCid !== cid) changed.push(article.file);
      const sameText = byCid.get(cid);
      if (sameText) sameText.articles.push(article);
      else byCid.set(cid, { contentCid: cid, articles: [article], bytes: Buffer.byteLength(content) });
    } catch (error) {
      if (!(error instanceof UsageInvalidError)) throw error;
      faults.push({ file: article.file, error: error.message });
    }
    onRead(index + 1);
  }
  const texts = [...byCid.values()];
  const attested = [...entries.values()].filter(({ status }) => status !== 'failed');
  const attestedCids = new Set(attested.map((entry) => entry.contentCid));
  return { texts, faults, toSend: texts.filter((text) => !attestedCids.has(text.contentCid)), changed, read };
}
