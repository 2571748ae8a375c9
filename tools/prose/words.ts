import type { Problem } from './problem.ts';

export interface WordToAvoid {
  readonly pattern: RegExp;
  readonly message: string;
}

/** Reads the table "Words to avoid" of the style guide: the words of a row, separated by commas, and what to use. */
export function wordsToAvoid(styleGuide: string): readonly WordToAvoid[] {
  const [, section = ''] = styleGuide.split('## Words to avoid');
  const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(1);
  return rows.flatMap(([, words = '', use = '']) =>
    words
      .split(', ')
      .map((word) => ({ pattern: new RegExp(`\\b${word}\\b`, 'i'), message: `"${word}": use ${use}` })),
  );
}

/** Separates the words of identifiers: `toldEvents`, `told_events` and `told-events` contain "told". */
const separateWords = (text: string): string => text.replaceAll(/([a-z])(?=[A-Z])|_/g, '$1 ');

/** Finds words to avoid in a file's name and text, identifiers included. */
export function findWords(path: string, text: string, avoided: readonly WordToAvoid[]): Problem[] {
  return [path, ...text.split('\n')].flatMap((content, line) => {
    const words = separateWords(content);
    return avoided
      .filter(({ pattern }) => pattern.test(words))
      .map(({ message }) => ({ path, line, message }));
  });
}
