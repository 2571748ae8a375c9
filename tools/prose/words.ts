import type { Problem } from './problem.ts';

export interface WordToAvoid {
  readonly pattern: RegExp;
  readonly message: string;
  /** Whether a part of an identifier counts, too. */
  readonly inIdentifiers: boolean;
}

/** Rows of a table in a section of the style guide, without the head. */
function rowsOf(styleGuide: string, heading: string): string[][] {
  const [, section = ''] = styleGuide.split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) => row.split('|').map((cell) => cell.trim()));
}

/** Makes patterns of words, separated by commas. The word at the same place in `use`, or else the last, replaces each. */
function avoid(words = '', use = '', inIdentifiers: boolean): WordToAvoid[] {
  const uses = inIdentifiers ? [use] : use.split(', ');
  return words
    .split(', ')
    .filter((word) => word !== '')
    .map((word, position) => ({
      pattern: new RegExp(`\\b${word}\\b`, inIdentifiers ? 'i' : ''),
      message: `"${word}": use ${uses[position] ?? uses.at(-1)}`,
      inIdentifiers,
    }));
}

/** Reads what the style guide excludes: its "Words to avoid", and the column "not" of its "Terms". */
export function wordsToAvoid(styleGuide: string): readonly WordToAvoid[] {
  return [
    ...rowsOf(styleGuide, 'Words to avoid').flatMap(([, words, use]) => avoid(words, use, true)),
    ...rowsOf(styleGuide, 'Terms').flatMap(([, term, , words]) => avoid(words, term, false)),
  ];
}

/** Separates the words of identifiers: `toldEvents`, `told_events` and `told-events` contain "told". */
const separateWords = (text: string): string => text.replaceAll(/([a-z])(?=[A-Z])|_/g, '$1 ');

/** Finds words to avoid in a file's name and text. */
export function findWords(path: string, text: string, avoided: readonly WordToAvoid[]): Problem[] {
  return [path, ...text.split('\n')].flatMap((content, line) => {
    const words = separateWords(content);
    return avoided
      .filter(({ pattern, inIdentifiers }) => pattern.test(inIdentifiers ? words : content))
      .map(({ message }) => ({ path, line, message }));
  });
}
