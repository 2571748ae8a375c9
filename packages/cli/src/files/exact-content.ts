import { exactText, type HiddenCharacter, hiddenCharacters, textOfMarkup } from 'imprimatur-verifier';
import { parse } from 'parse5';
import { UsageInvalidError } from '../errors.ts';
import { checkSize, readContent } from './read-content.ts';

export type TextSource = 'markdown' | 'html';

export const textSources: readonly TextSource[] = ['markdown', 'html'];

/** Format by file name: HTML, or otherwise Markdown, which includes plain text. */
export const sourceOf = (path: string): TextSource => (/\.x?html?$/i.test(path) ? 'html' : 'markdown');

export async function readExactContent(
  path: string,
  input: Parameters<typeof readContent>[1],
  source: TextSource = sourceOf(path),
) {
  const raw = await readContent(path, input);
  // The byte order mark of a page is not part of its text.
  const content = exactText(source === 'html' ? textOfMarkup(parse(raw.replace(/^\ufeff/, ''))) : raw);
  const subject = path === '-' ? 'stdin' : path;
  if (content === '') throw new UsageInvalidError(`${subject} has no text`);
  checkSize(Buffer.byteLength(content), subject);
  return { content, hidden: hiddenCharacters(content) };
}

export function hiddenNotes(hidden: readonly HiddenCharacter[]): string[] {
  return hidden.map(({ codePoint, isVariationSelector, count, line, character }) => {
    const kind = isVariationSelector ? 'a variation selector' : 'an invisible character';
    const times = count === 1 ? 'in' : `${count} times, first in`;
    return `${codePoint}, ${kind}, ${times} line ${line}, character ${character}; it is kept, but copies of the text may lose it`;
  });
}
