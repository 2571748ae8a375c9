import type { Problem } from './problem.ts';

export interface WordToAvoid {
  readonly pattern: RegExp;
  readonly message: string;
  /** Whether it may not be a part of an identifier, either. */
  readonly inIdentifiers: boolean;
}

/** Rows of a table in a section of the style guide, without the head. */
function rowsOf(styleGuide: string, heading: string): string[][] {
  const [, section = ''] = styleGuide.split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) => row.split('|').map((cell) => cell.trim()));
}

const split = (words: string) => words.split(', ').filter((word) => word !== '');

/** Reads the words of the table "Words to avoid", in any case and also in identifiers. */
function readWords(styleGuide: string): WordToAvoid[] {
  return rowsOf(styleGuide, 'Words to avoid').flatMap(([, words = '', use]) =>
    split(words).map((word) => ({
      pattern: new RegExp(`\\b${word}\\b`, 'i'),
      message: `"${word}": use ${use}`,
      inIdentifiers: true,
    })),
  );
}

/** Reads the column "not" of the table "Terms": other spellings, also with a capital letter and in the plural. */
function readSpellings(styleGuide: string): WordToAvoid[] {
  return rowsOf(styleGuide, 'Terms').flatMap(([, term, , spellings = '']) =>
    split(spellings).map((spelling) => {
      const [first = '', rest] = [spelling[0], spelling.slice(1)];
      return {
        pattern: new RegExp(`\\b[${first}${first.toUpperCase()}]${rest}s?\\b`),
        message: `"${spelling}": use ${term}`,
        inIdentifiers: false,
      };
    }),
  );
}

/** Reads what the style guide excludes. */
export const wordsToAvoid = (styleGuide: string): readonly WordToAvoid[] => [
  ...readWords(styleGuide),
  ...readSpellings(styleGuide),
];

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
