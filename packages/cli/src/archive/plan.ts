import { dirname, relative, resolve, sep } from 'node:path';
import { UsageInvalidError } from '../errors.ts';
import type { ListedArticle } from '../files/read-list.ts';
import type { ManifestEntry } from './manifest.ts';

/** A file of an archive, as its manifest names it. */
export interface Article extends ListedArticle {
  readonly file: string;
}

/** A text, and the files that have it. */
export interface PlannedText {
  readonly contentCid: string;
  /** The first one is sent, with its URL. */
  readonly articles: readonly [Article, ...Article[]];
}

/** A file that cannot be attested, and why. */
export interface Fault {
  readonly file: string;
  readonly error: string;
}

/** What is to be done for the files of an archive. */
export interface Plan {
  readonly texts: readonly PlannedText[];
  readonly faults: readonly Fault[];
  /** Texts of which no line of the manifest says that they are attested or under way. */
  readonly toSend: readonly PlannedText[];
  /** Bytes of those. */
  readonly bytesToSend: number;
  /** Files that were attested with another text. */
  readonly changed: readonly string[];
  /** Reads a file's text. @throws UsageInvalidError */
  read(article: Article): Promise<string>;
  /** CIDv1 of a text: raw, sha2-256, base32. */
  cidOf(content: string): string;
}

/** Names files from the folder of their manifest, so that it can be used from any folder. */
export function articlesOf(listed: readonly ListedArticle[], manifestPath: string): Article[] {
  const folder = dirname(resolve(manifestPath));
  const fileOf = (path: string) => relative(folder, resolve(path)).replaceAll(sep, '/');
  return listed.map((article) => ({ ...article, file: fileOf(article.path) }));
}

interface PlanInput {
  readonly articles: readonly Article[];
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  readonly read: Plan['read'];
  readonly cidOf: Plan['cidOf'];
  /** Called with the number of files that are read. */
  readonly onRead: (count: number) => void;
}

/** Reads each file once, one after the other, and compares it with the manifest. */
export async function planArchive({ articles, entries, read, cidOf, onRead }: PlanInput): Promise<Plan> {
  const texts = new Map<string, { contentCid: string; articles: [Article, ...Article[]]; bytes: number }>();
  const [faults, changed] = [[] as Fault[], [] as string[]];
  for (const [at, article] of articles.entries()) {
    try {
      const content = await read(article);
      const contentCid = cidOf(content);
      const before = entries.get(article.file);
      if (before && before.contentCid !== contentCid) changed.push(article.file);
      const known = texts.get(contentCid);
      if (known) known.articles.push(article);
      else texts.set(contentCid, { contentCid, articles: [article], bytes: Buffer.byteLength(content) });
    } catch (error) {
      if (!(error instanceof UsageInvalidError)) throw error;
      faults.push({ file: article.file, error: error.message });
    }
    onRead(at + 1);
  }
  const known = new Set(
    [...entries.values()].filter(({ status }) => status !== 'failed').map(({ contentCid }) => contentCid),
  );
  const toSend = [...texts.values()].filter(({ contentCid }) => !known.has(contentCid));
  const bytesToSend = toSend.reduce((sum, { bytes }) => sum + bytes, 0);
  return { texts: [...texts.values()], faults, toSend, bytesToSend, changed, read, cidOf };
}
