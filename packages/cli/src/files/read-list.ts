import { dirname, join } from 'node:path';
import { parseArticleUrl } from '../arguments.ts';
import { UsageInvalidError } from '../errors.ts';
import { decode, readBytes } from './read-content.ts';

/** An article of a list. */
export interface ListedArticle {
  readonly path: string;
  readonly url: string | undefined;
}

interface Row {
  readonly line: number;
  readonly file: unknown;
  readonly url: unknown;
}

/**
 * Reads a list of articles: JSON lines, `{"url": "https://…", "file": "…"}`, or CSV with the columns `url` and `file` in its
 * first line. Files are named from where the list is. Other columns are left alone.
 *
 * @throws UsageInvalidError with the line
 */
export async function readList(path: string): Promise<readonly ListedArticle[]> {
  const text = decode(await readBytes(path), path).replace(/^\ufeff/, '');
  const rows = /\.(jsonl|ndjson)$/i.test(path) ? jsonRows(path, text) : csvRows(path, text);
  const lines = new Map<string, number>();
  return rows.map((row) => {
    const article = articleOf(path, row);
    const before = lines.get(article.path);
    if (before !== undefined)
      throw invalid(path, row.line, `${article.path} stands in line ${before} already`);
    lines.set(article.path, row.line);
    return article;
  });
}

const invalid = (path: string, line: number, what: string) =>
  new UsageInvalidError(`${path}, line ${line}: ${what}`);

function articleOf(path: string, { line, file, url }: Row): ListedArticle {
  if (typeof file !== 'string' || file === '') throw invalid(path, line, 'no file is named');
  const article = { path: join(dirname(path), file), url: undefined };
  if (url === undefined || url === null || url === '') return article;
  if (typeof url !== 'string') throw invalid(path, line, 'the url is no text');
  try {
    return { ...article, url: parseArticleUrl(url) };
  } catch {
    throw invalid(path, line, 'the url must be an http or https URL');
  }
}

function jsonRows(path: string, text: string): Row[] {
  return text.split(/\r?\n/).flatMap((content, at) => {
    if (content.trim() === '') return [];
    const { file, url } = objectIn(content) ?? {};
    if (file === undefined) throw invalid(path, at + 1, 'it is not {"url": "https://…", "file": "…"}');
    return [{ line: at + 1, file, url }];
  });
}

/** The parser's own message is left out: it quotes the text. */
function objectIn(content: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A field of CSV (RFC 4180) and what ends it: a quoted one may have commas, line ends and doubled quotes in it. */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function csvRows(path: string, text: string): Row[] {
  const [head, ...records] = recordsIn(path, text);
  const columns = head?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const [fileAt, urlAt] = [columns.indexOf('file'), columns.indexOf('url')];
  if (fileAt < 0) throw invalid(path, 1, 'there is no column "file"; the first line names the columns');
  return records.map(({ line, fields }) => ({ line, file: fields[fileAt], url: fields[urlAt] }));
}

function recordsIn(path: string, text: string) {
  const records: { line: number; fields: string[] }[] = [];
  let [line, fields, startLine] = [1, [] as string[], 1];
  field.lastIndex = 0;
  while (field.lastIndex < text.length || fields.length > 0) {
    const [whole, quoted, plain = '', end = ''] = field.exec(text) ?? [];
    if (whole === undefined) throw invalid(path, line, 'a quote has no end, or stands amid a field');
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (fields.some((content) => content !== '')) records.push({ line: startLine, fields });
    [fields, startLine] = [[], line];
  }
  return records;
}
