import type { Root as Prose, Sentence } from 'nlcst';
import { toString as textOf } from 'nlcst-to-string';
import retextEnglish from 'retext-english';
import retextPassive from 'retext-passive';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';
import type { Paragraph } from './paragraphs.ts';
import type { Problem } from './problem.ts';

const maxWords = 30;

const english = unified().use(retextEnglish).use(retextPassive);

export interface Sentences {
  readonly problems: readonly Problem[];
  readonly count: number;
  readonly words: number;
  readonly passive: number;
}

/** Finds sentences that are too long, and counts words and passives. */
export function readSentences(path: string, paragraphs: readonly Paragraph[]): Sentences {
  const problems: Problem[] = [];
  let [count, words, passive] = [0, 0, 0];
  for (const { text, line } of paragraphs) {
    const file = new VFile(text);
    const prose = english.runSync(english.parse(file), file) as Prose;
    passive += file.messages.length;
    visit(prose, 'SentenceNode', (sentence: Sentence) => {
      const length = sentence.children.filter(({ type }) => type === 'WordNode').length;
      count += 1;
      words += length;
      if (length <= maxWords) return;
      const message = `${length} words in a sentence, ${maxWords} at most: "${textOf(sentence).slice(0, 60)}…"`;
      problems.push({ path, line, message });
    });
  }
  return { problems, count, words, passive };
}
