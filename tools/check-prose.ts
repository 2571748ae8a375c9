import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findDeadLinks } from './prose/links.ts';
import { parseMarkdown } from './prose/markdown.ts';
import { helpParagraphs, pageParagraphs, paragraphsOf } from './prose/paragraphs.ts';
import type { Problem } from './prose/problem.ts';
import { readSentences } from './prose/sentences.ts';
import { findWords, wordsToAvoid } from './prose/words.ts';

/** Phrases in the passive voice in all documents, help texts and page texts together. The number may only fall. */
const passiveLimit = 119;
/** Lines of all documents together. A new page replaces another, or shortens others. */
const maxLines = 4000;

const styleGuide = 'docs/style.md';
/** Texts from elsewhere, generated texts, and the list of words itself. */
const skipped = [
  ...['docs/service-interface.md', 'docs/style.md', 'functions/api/docs-page.json', 'package-lock.json'],
  ...['local/articles/', 'test/vectors/', 'tools/prose/'],
];
const isTextFile = /\.(ts|tsx|js|mjs|cjs|json|md|txt|py|php|sol|sh|yml|yaml|html|css|toml)$/;

const paths = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const files = paths
  .filter((path) => isTextFile.test(path) && !skipped.some((start) => path.startsWith(start)))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const documents = new Map(
  files.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, parseMarkdown(text)]),
);

/** Reads the running text of a document, of a command's help, or of a page. */
function readParagraphs({ path, text }: { readonly path: string; readonly text: string }) {
  const document = documents.get(path);
  if (document) return paragraphsOf(document);
  if (/\/help\/[^/]+\.txt$/.test(path)) return helpParagraphs(text);
  if (/^packages\/pages\/src\/.*\.tsx?$/.test(path)) return pageParagraphs(path, text);
  return [];
}

const avoided = wordsToAvoid(readFileSync(styleGuide, 'utf8'));
const sentences = files.map((file) => readSentences(file.path, readParagraphs(file)));
const total = (key: 'count' | 'words' | 'passive') => sentences.reduce((sum, item) => sum + item[key], 0);
const problems: Problem[] = [
  ...files.flatMap(({ path, text }) => findWords(path, text, avoided)),
  ...sentences.flatMap((item) => item.problems),
  ...[...documents].flatMap(([path, document]) => findDeadLinks(path, document)),
];
const report = (path: string, message: string) => problems.push({ path, line: 0, message });
const passive = total('passive');
if (passive > passiveLimit)
  report('docs', `${passive} passive phrases, ${passiveLimit} at most. Rewrite those that you added.`);
if (passive < passiveLimit)
  report('tools/check-prose.ts', `only ${passive} passive phrases are left: lower passiveLimit`);
const lines = paths
  .filter((path) => path.endsWith('.md'))
  .reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0);
if (lines > maxLines) report('docs', `${lines} lines of documents, ${maxLines} at most. Shorten some.`);
for (const { path, line, message } of problems) console.error(`${path}:${line}: ${message}`);
const average = (total('words') / total('count')).toFixed(1);
console.log(`${files.length} files; ${average} words a sentence; ${passive} passive phrases`);
if (problems.length > 0) process.exitCode = 1;
