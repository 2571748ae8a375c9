import { sha256 } from 'viem';
import type { Hex } from '../hex.ts';
import { type AccidentKind, accidents } from './accidents.ts';
import { decode, type GivenText } from './given-text.ts';
import { quoteTreeWithRoot } from './quote-tree.ts';

/** A text compared with the content of a reference. */
export interface TextComparison {
  /** Whether it is, byte by byte, the content with the CID of the reference. */
  readonly isContent: boolean;
  /** Differences that make up all that is different; empty when it is the content, or no usual accident explains it. */
  readonly differences: readonly Difference[];
}

/** Compares a text with the content that has this digest. */
export function compareText(given: GivenText, digest: Hex): TextComparison {
  const isContent = given.bytes !== undefined && sha256(given.bytes) === digest;
  return { isContent, differences: isContent ? [] : diagnose(given, digest) };
}

/** Whether this quote root is that of the text, by our rule or by that of public tools. */
export function hasQuoteRoot({ text }: GivenText, quoteRoot: Hex): boolean {
  return text !== undefined && quoteTreeWithRoot(text, quoteRoot) !== undefined;
}

/** A usual difference between a text and the attested one. */
export interface Difference {
  readonly kind: AccidentKind;
  /** What is different, in one plain sentence. */
  readonly statement: string;
}

interface Candidate {
  readonly text: string;
  readonly differences: readonly Difference[];
}

/** Number of accidents that are tried together. */
const maxTogether = 4;
/** Bytes that are hashed at most: a second's work or two. */
const maxHashedBytes = 64 * 1024 * 1024;

const encodings = { 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16 (big-endian)', 'windows-1252': 'Windows-1252' };

/** The texts that the bytes may be meant as: where they are not UTF-8, what they are in other encodings. */
function readings({ bytes, text }: GivenText): Candidate[] {
  // Half a surrogate pair: no accident puts it right.
  if (bytes === undefined) return [];
  if (text !== undefined) return [{ text, differences: [] }];
  return Object.entries(encodings).flatMap(([encoding, name]) => {
    const read = decode(bytes, encoding);
    const statement = `The attested text is in UTF-8; yours is in ${name}.`;
    return read === undefined
      ? []
      : [{ text: read, differences: [{ kind: 'encoding', statement } as const] }];
  });
}

/** Each text that is left when so many more accidents, of the groups from this one on, are taken back. */
function* undone(candidate: Candidate, count: number, from = 0): Generator<Candidate> {
  if (count === 0) yield candidate;
  else {
    for (let group = from; group < accidents.length; group++) {
      for (const { kind, statement, undo } of accidents[group] ?? []) {
        const text = undo(candidate.text);
        if (text === candidate.text) continue;
        const differences = [...candidate.differences, { kind, statement }];
        yield* undone({ text, differences }, count - 1, group + 1);
      }
    }
  }
}

function* candidates(given: GivenText): Generator<Candidate> {
  const read = readings(given);
  // Few accidents before many: the shortest explanation is the likeliest.
  for (let count = 0; count <= maxTogether; count++) for (const one of read) yield* undone(one, count);
}

/** Explains how a text differs from the one with this digest, by usual accidents; empty where they explain nothing. */
function diagnose(given: GivenText, digest: Hex): readonly Difference[] {
  let hashedBytes = 0;
  for (const { text, differences } of candidates(given)) {
    const bytes = new TextEncoder().encode(text);
    hashedBytes += bytes.length;
    if (hashedBytes > maxHashedBytes) break;
    if (sha256(bytes) === digest) return differences;
  }
  return [];
}
