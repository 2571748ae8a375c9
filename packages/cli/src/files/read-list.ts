import { dirname, join } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import { parseArticleUrl } from '../arguments.ts';
import { UsageInvalidError } from '../errors.ts';
import { isObject, parseJson, readText } from './read-content.ts';

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
 * Reads a list of articles: JSON lines, `{"url": "https://…", "file": "…"}`, or CSV with a heading that has the columns
 * `url` and `file`. File names are relative to the list. Other columns are ignored.
 */
export async function readList(path: string): Promise<readonly ListedArticle[]> {
  const text = await readText(path);
  const rows = /\.(jsonl|ndjson)$/i.test(path) ? jsonRows(path, text) : csvRows(path, text);
  const lines = new Map<string, number>();
  return rows.map((row) => {
    const article = articleOf(path, row);
    const before = lines.get(article.path);
    if (before !== undefined) throw invalid(path, row.line, `${article.path} is already in line ${before}`);
    lines.set(article.path, row.line);
    return article;
  });
}

const invalid = (path: string, line: number, problem: string) =>
  new UsageInvalidError(`${path}, line ${line}: ${problem}`);

function articleOf(path: string, { line, file, url }: Row): ListedArticle {
  if (typeof file !== 'string' || file === '') throw invalid(path, line, 'missing file name');
  const article = { path: join(dirname(path), file), url: undefined };
  if (url === undefined || url === null || url === '') return article;
  if (typeof url !== 'string') throw invalid(path, line, 'the url must be a string');
  try {
    return { ...article, url: parseArticleUrl(url) };
  } catch {
    throw invalid(path, line, 'the url must be an http or https URL');
  }
}

function jsonRows(path: string, text: string): Row[] {
  return text.split(/\r?\n/).flatMap((content, index) => {
    if (content.trim() === '') return [];
    const value = parseJson(content);
    if (!isObject(value) || value.file === undefined)
      throw invalid(path, index + 1, 'must be {"url": "https://…", "file": "…"}');
    return [{ line: index + 1, file: value.file, url: value.url }];
  });
}

interface CsvRecord {
  readonly record: readonly string[];
  /** `lines`: the last line of the record. */
  readonly info: { readonly lines: number };
}

function csvRows(path: string, text: string): Row[] {
  const options = { info: true, relax_column_count: true, skip_records_with_empty_values: true } as const;
  let parsed: CsvRecord[];
  try {
    parsed = parse(text, options) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid(path, Number(error.lines), 'unbalanced quotation mark');
  }
  const [head, ...records] = parsed;
  const columns = head?.record.map((name) => name.trim().toLowerCase()) ?? [];
  const [fileAt, urlAt] = [columns.indexOf('file'), columns.indexOf('url')];
  if (fileAt < 0) throw invalid(path, 1, 'missing column "file"; the first line must name the columns');
  return records.map(({ record, info }) => ({ line: info.lines, file: record[fileAt], url: record[urlAt] }));
}
