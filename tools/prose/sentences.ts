import type { Root as Document } from 'mdast';
import type { Root as Prose, Sentence } from 'nlcst';
import { toString as textOf } from 'nlcst-to-string';
import retextEnglish from 'retext-english';
import retextPassive from 'retext-passive';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';
import type { Problem } from './problem.ts';

const maxWords = 30;

const english = unified().use(retextEnglish).use(retextPassive);

/** Text of a Markdown node, in which "code" stands for each piece of inline code. */
function proseOf(node: { type: string; value?: string; children?: unknown[] }): string {
  if (node.type === 'inlineCode') return 'code';
  if (node.type === 'break') return ' ';
  if (node.value !== undefined) return node.type === 'text' ? node.value : '';
  return (node.children ?? []).map((child) => proseOf(child as Parameters<typeof proseOf>[0])).join('');
}

export interface Sentences {
  readonly problems: readonly Problem[];
  readonly count: number;
  readonly words: number;
  readonly passive: number;
}

/** Finds sentences that are too long, and counts words and passives, in the paragraphs of a document. */
export function readSentences(path: string, document: Document): Sentences {
  const problems: Problem[] = [];
  let [count, words, passive] = [0, 0, 0];
  visit(document, 'paragraph', (paragraph) => {
    const file = new VFile(proseOf(paragraph));
    const prose = english.runSync(english.parse(file), file) as Prose;
    passive += file.messages.length;
    visit(prose, 'SentenceNode', (sentence: Sentence) => {
      const length = sentence.children.filter(({ type }) => type === 'WordNode').length;
      count += 1;
      words += length;
      if (length <= maxWords) return;
      const message = `${length} words in a sentence, ${maxWords} at most: "${textOf(sentence).slice(0, 60)}…"`;
      problems.push({ path, line: paragraph.position?.start.line ?? 0, message });
    });
  });
  return { problems, count, words, passive };
}
