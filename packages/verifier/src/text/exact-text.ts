/** Name of the rules of `exactText` and `textOfMarkup`, for metadata. Changed rules need a new name. */
export const exactTextProfile = 'imprimatur-text-1';

/** Removes these characters from the end of a text. */
export function trimEndCharacters(text: string, characters: string): string {
  // A regular expression would take quadratic time.
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/**
 * Converts a text to the profile's form: no byte order mark, Unicode normal form C, LF line endings, and one LF at the end.
 * Changes nothing else. If the text has only line endings, the result is empty.
 */
export function exactText(text: string): string {
  const lines = text
    .replace(/^\ufeff+/, '')
    .replaceAll(/\r\n?/g, '\n')
    .normalize('NFC');
  const body = trimEndCharacters(lines, '\n');
  return body === '' ? '' : `${body}\n`;
}

/** An invisible character and its first position in a text. */
export interface HiddenCharacter {
  /** Such as `U+FE0F`. */
  readonly codePoint: string;
  readonly isVariationSelector: boolean;
  readonly count: number;
  /** Line and character of the first one, from 1. */
  readonly line: number;
  readonly character: number;
}

/** Finds invisible characters (Default_Ignorable_Code_Point), which copies often lose. */
export function hiddenCharacters(text: string): HiddenCharacter[] {
  const characters = new Map<string, HiddenCharacter>();
  for (const { 0: hidden, index } of text.matchAll(/\p{Default_Ignorable_Code_Point}/gu)) {
    const known = characters.get(hidden);
    if (known) characters.set(hidden, { ...known, count: known.count + 1 });
    else characters.set(hidden, { ...describeFirst(hidden), ...positionOf(text, index) });
  }
  return [...characters.values()];
}

function describeFirst(hidden: string) {
  const digits = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  const isVariationSelector = /\p{Variation_Selector}/u.test(hidden);
  return { codePoint: `U+${digits}`, isVariationSelector, count: 1 };
}

function positionOf(text: string, index: number) {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return { line, character: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1 };
}
