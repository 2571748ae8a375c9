/** C0 and C1 controls, tab and line feed excepted, and marks that turn the direction of writing. */
const controls = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Publishers' texts for a terminal: an escape sequence in one must not run, so controls show as `\u{1b}`. */
export function printable(text: string): string {
  return text.replaceAll(controls, (control) => `\\u{${control.codePointAt(0)?.toString(16)}}`);
}
