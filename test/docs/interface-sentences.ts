export interface Sentence {
  /** Section and place in it: `4.1.3` is the third of section 4.1, `4.0.1` the first before section 4.1. */
  readonly number: string;
  readonly text: string;
}

/** A title above what it names: "Responses:". */
const isTitle = (text: string): boolean => text.endsWith(':');

/** The cells of a table's row are one sentence; a paragraph or a list's entry is split where the next one begins. */
function textsOf(line: string): string[] {
  const cells = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
  if (cells.length > 0) return [cells.filter((cell) => cell !== '').join(' · ')];
  return line
    .replace(/^(?:-|\d+\.) /, '')
    .split(/(?<=[.:]) (?=[A-Z`])/)
    .filter((text) => text !== '' && !isTitle(text));
}

/** A table's heading is the row above the rule. */
function isRow(line: string, next = ''): boolean {
  return !/^\|-/.test(line) && !/^\|-/.test(next);
}

/** Everything that the interface document says, in its order. */
export function interfaceSentences(document: string): Sentence[] {
  const divided = new Set([...document.matchAll(/^### (\d+)\.\d+ /gm)].map(([, section]) => section));
  const lines = document.split('\n');
  const sentences: Sentence[] = [];
  let section = '0';
  let place = 0;
  for (const [at, line] of lines.entries()) {
    const [, heading] = /^#+ (\d+(?:\.\d+)?)/.exec(line) ?? [];
    if (heading !== undefined) {
      section = divided.has(heading) ? `${heading}.0` : heading;
      place = 0;
    }
    if (line.startsWith('#') || !isRow(line, lines[at + 1])) continue;
    for (const text of textsOf(line)) sentences.push({ number: `${section}.${++place}`, text });
  }
  return sentences;
}
