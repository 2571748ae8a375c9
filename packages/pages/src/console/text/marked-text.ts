const lineEndings: Readonly<Record<string, string>> = { '\n': '¶\n', '\r\n': '[CR]¶\n', '\r': '[CR]\n' };
const lineEndingNames: Readonly<Record<string, string>> = { '\n': 'LF', '\r\n': 'CR LF', '\r': 'CR' };

// Runs of spaces are matched as a whole, and checked afterwards: a lookahead would take quadratic time.
const invisible = /\r\n|\n|\r|[ \t]+|[\u00a0\u2007\u202f]|\p{Default_Ignorable_Code_Point}|\p{Cc}/gu;

/** Replaces line endings, spaces at the ends of lines, tabs and invisible characters with visible signs. */
export function markText(text: string): string {
  return text.replace(invisible, (match: string, index: number) => {
    const end = lineEndings[match];
    if (end) return end;
    const next = text[index + match.length] ?? '\n';
    if (/^[ \t]/.test(match)) return markSpaces(match, next === '\n' || next === '\r');
    return `[U+${match.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

const markSpaces = (spaces: string, isAtLineEnd: boolean) =>
  (isAtLineEnd ? spaces.replaceAll(' ', '·') : spaces).replaceAll('\t', '[TAB]');

/** Describes the lines of a text, such as "3 lines, LF". */
export function describeLines(text: string): string {
  const ends = text.match(/\r\n|\n|\r/g) ?? [];
  const names = [...new Set(ends)].map((end) => lineEndingNames[end]);
  const isEnded = /[\r\n]$/.test(text);
  const lines = ends.length + (isEnded ? 0 : 1);
  const count = lines === 1 ? '1 line' : `${lines.toLocaleString('en')} lines`;
  const kinds =
    names.length > 1 ? `mixed line endings (${names.join(', ')})` : (names[0] ?? 'no line ending');
  return `${count}, ${kinds}${isEnded || ends.length === 0 ? '' : ', none after the last line'}`;
}
