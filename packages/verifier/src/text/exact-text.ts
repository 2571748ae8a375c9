/** Name of the profile of `exactText` and `textOfMarkup`, for metadata. Another rule in it gets another name. */
export const exactTextProfile = 'imprimatur-text-1';

/** The text without these characters at its end. */
export function withoutEnd(text: string, characters: string): string {
  // No regular expression: one that looks for the end of a run takes its length squared.
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/**
 * The text in the one form of the profile, which is attested as UTF-8: without byte order mark, in Unicode's normal form C,
 * line ends LF, one at the end. Nothing else is changed: no space, no quotation mark, nothing that does not show. Empty for
 * a text of line ends alone.
 */
export function exactText(text: string): string {
  const lines = text
    .replace(/^\ufeff+/, '')
    .replaceAll(/\r\n?/g, '\n')
    .normalize('NFC');
  const body = withoutEnd(lines, '\n');
  return body === '' ? '' : `${body}\n`;
}

/** A character that does not show, and where it stands in a text. */
export interface HiddenCharacter {
  /** `U+FE0F`. */
  readonly codePoint: string;
  readonly isVariationSelector: boolean;
  readonly count: number;
  /** Line and character of the first one, from 1 on. */
  readonly line: number;
  readonly character: number;
}

/**
 * The characters of a text that do not show (Default_Ignorable_Code_Point). Copies often lack them, and then are another
 * text.
 */
export function hiddenCharacters(text: string): HiddenCharacter[] {
  const found = new Map<string, HiddenCharacter>();
  for (const { 0: hidden, index } of text.matchAll(/\p{Default_Ignorable_Code_Point}/gu)) {
    const known = found.get(hidden);
    if (known) found.set(hidden, { ...known, count: known.count + 1 });
    else found.set(hidden, { ...firstOf(hidden), ...placeOf(text, index) });
  }
  return [...found.values()];
}

function firstOf(hidden: string) {
  const digits = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  const isVariationSelector = /\p{Variation_Selector}/u.test(hidden);
  return { codePoint: `U+${digits}`, isVariationSelector, count: 1 };
}

function placeOf(text: string, index: number) {
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return { line, character: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1 };
}
