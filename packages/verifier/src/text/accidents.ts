import { trimEndCharacters } from './exact-text.ts';

/** The kinds of accidental changes that a text undergoes between editor and reader. */
export type AccidentKind = 'encoding' | keyof typeof reversals;

export interface Accident {
  readonly kind: AccidentKind;
  /** One sentence that describes the difference. */
  readonly statement: string;
  undo(text: string): string;
}

/** Replaces the final newlines, if there are several (with `replacesSeveral`) or at most one (without it). */
function withEnd(text: string, replacesSeveral: boolean, end: string): string {
  const body = trimEndCharacters(text, '\r\n');
  const hasSeveral = text.slice(body.length).replaceAll('\r\n', '\n').length > 1;
  return hasSeveral === replacesSeveral ? body + end : text;
}

const bom = '\ufeff';
const joiners = '\u200c\u200d';
const invisible = '\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff';

type Reversal = readonly [statement: string, undo: (text: string) => string];

/** In the order of use. An added final newline then gets the line ending of the rest. */
const reversals = {
  byteOrderMark: [
    [
      'Your text begins with a byte order mark; the attested one does not.',
      (text) => (text.startsWith(bom) ? text.slice(1) : text),
    ],
    [
      'The attested text begins with a byte order mark; yours does not.',
      (text) => (text.startsWith(bom) ? text : bom + text),
    ],
  ],

  invisibleCharacters: [
    [
      'Your text has invisible characters, such as soft hyphens, that the attested one does not have.',
      (text) => text.replace(new RegExp(`[${invisible}]`, 'g'), ''),
    ],
    [
      'Your text has invisible characters, including joiners, that the attested one does not have.',
      (text) => text.replace(new RegExp(`[${invisible}${joiners}]`, 'g'), ''),
    ],
  ],

  nonBreakingSpaces: [
    [
      'Your text has non-breaking spaces where the attested one has spaces.',
      (text) => text.replaceAll('\u00a0', ' '),
    ],
    [
      'Your text has non-breaking spaces, including narrow ones, where the attested one has spaces.',
      (text) => text.replace(/[\u00a0\u2007\u202f]/g, ' '),
    ],
  ],

  normalForm: (['NFC', 'NFD'] as const).map((form) => [
    `The letters with accents of the attested text are in the Unicode normal form ${form}; some of yours are not.`,
    (text) => text.normalize(form),
  ]),
  trailingSpaces: [
    [
      'Your text has spaces at the ends of lines; the attested one does not.',
      (text) => text.replace(/[^\r\n]+/g, (line) => trimEndCharacters(line, ' \t\u00a0')),
    ],
  ],

  finalNewline: [
    ['The attested text ends without a newline; yours has one.', (text) => withEnd(text, false, '')],
    [
      'The attested text ends with a newline; yours does not.',
      (text) => (text.endsWith('\n') ? text : `${text}\n`),
    ],
    ['The attested text ends without a newline; yours ends with several.', (text) => withEnd(text, true, '')],
    [
      'The attested text ends with one newline; yours ends with several.',
      (text) => withEnd(text, true, '\n'),
    ],
  ],

  lineEndings: [
    [
      'The words are the same, but the line endings differ: the attested text has LF, yours has CR LF or CR.',
      (text) => text.replace(/\r\n?/g, '\n'),
    ],
    [
      'The words are the same, but the line endings differ: the attested text has CR LF, yours has LF or CR.',
      (text) => text.replace(/\r\n|\r|\n/g, '\r\n'),
    ],
  ],
} satisfies Readonly<Record<string, readonly Reversal[]>>;

export const accidents: readonly (readonly Accident[])[] = Object.entries(reversals).map(([kind, undos]) =>
  undos.map(([statement, undo]) => ({ kind: kind as AccidentKind, statement, undo })),
);
