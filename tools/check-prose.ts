import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findDeadLinks } from './prose/links.ts';
import { parseMarkdown } from './prose/markdown.ts';
import type { Problem } from './prose/problem.ts';
import { readSentences } from './prose/sentences.ts';
import { findWords, wordsToAvoid } from './prose/words.ts';

/** Sentences in the passive voice in all documents together. It may only fall: lower it when you rewrite some. */
const passiveLimit = 60;

const styleGuide = 'docs/style.md';
/** Texts from elsewhere, generated texts, and the list of words itself. */
const skipped = [
  ...['docs/service-interface.md', 'docs/style.md', 'functions/api/docs-page.json', 'package-lock.json'],
  ...['local/articles/', 'test/vectors/', 'tools/prose/'],
];
const isText = /\.(ts|tsx|js|mjs|cjs|json|md|txt|py|php|sol|sh|yml|yaml|html|css|toml)$/;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => isText.test(path) && !skipped.some((start) => path.startsWith(start)))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const documents = files
  .filter(({ path }) => path.endsWith('.md'))
  .map(({ path, text }) => ({ path, document: parseMarkdown(text) }));

const avoided = wordsToAvoid(readFileSync(styleGuide, 'utf8'));
const sentences = documents.map(({ path, document }) => readSentences(path, document));
const total = (key: 'count' | 'words' | 'passive') => sentences.reduce((sum, item) => sum + item[key], 0);
const problems: Problem[] = [
  ...files.flatMap(({ path, text }) => findWords(path, text, avoided)),
  ...sentences.flatMap((item) => item.problems),
  ...documents.flatMap(({ path, document }) => findDeadLinks(path, document)),
];
const passive = total('passive');
if (passive > passiveLimit) {
  const message = `${passive} passive sentences, ${passiveLimit} at most. Rewrite those that you added.`;
  problems.push({ path: styleGuide, line: 0, message });
}
for (const { path, line, message } of problems) console.error(`${path}:${line}: ${message}`);
const average = (total('words') / total('count')).toFixed(1);
console.log(`${files.length} files; ${average} words a sentence; ${passive} passive sentences`);
if (problems.length > 0) process.exitCode = 1;
