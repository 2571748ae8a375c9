import { sha256 } from 'viem';
import type { Hex } from '../hex.ts';
import { type AccidentKind, accidents } from './accidents.ts';
import { decode, type InputText } from './input-text.ts';
import { quoteTreeWithRoot } from './quote-tree.ts';

/** A text compared with the content of a reference. */
export interface TextComparison {
  /** Whether its bytes have the CID of the reference. */
  readonly isContent: boolean;
  /** All differences; empty if the text is the content, or if accidental changes do not explain the mismatch. */
  readonly differences: readonly Difference[];
}

export function compareText(input: InputText, digest: Hex): TextComparison {
  const isContent = input.bytes !== undefined && sha256(input.bytes) === digest;
  return { isContent, differences: isContent ? [] : diagnose(input, digest) };
}

export function hasQuoteRoot({ text }: InputText, quoteRoot: Hex): boolean {
  return text !== undefined && quoteTreeWithRoot(text, quoteRoot) !== undefined;
}

/** An accidental difference between a text and the attested one. */
export interface Difference {
  readonly kind: AccidentKind;
  /** One sentence that describes the difference. */
  readonly statement: string;
}

interface Candidate {
  readonly text: string;
  readonly differences: readonly Difference[];
}

/** Maximum number of accidents to try together. */
const maxTogether = 4;
/** Maximum number of bytes to hash, which takes one or two seconds. */
const maxHashedBytes = 64 * 1024 * 1024;

const encodings = { 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16 (big-endian)', 'windows-1252': 'Windows-1252' };

/** The text or, if the bytes are not UTF-8, its readings in other encodings. */
function readingsOf({ bytes, text }: InputText): Candidate[] {
  // A lone surrogate; no accident explains it.
  if (bytes === undefined) return [];
  if (text !== undefined) return [{ text, differences: [] }];
  return Object.entries(encodings).flatMap(([encoding, name]) => {
    const decoded = decode(bytes, encoding);
    const statement = `The attested text is in UTF-8; yours is in ${name}.`;
    return decoded === undefined
      ? []
      : [{ text: decoded, differences: [{ kind: 'encoding', statement } as const] }];
  });
}

/** Yields each text after the reversal of `count` more accidents, from the groups that begin at `from`. */
function* undoAccidents(candidate: Candidate, count: number, from = 0): Generator<Candidate> {
  if (count === 0) yield candidate;
  else {
    for (let group = from; group < accidents.length; group++) {
      for (const { kind, statement, undo } of accidents[group] ?? []) {
        const text = undo(candidate.text);
        if (text === candidate.text) continue;
        const differences = [...candidate.differences, { kind, statement }];
        yield* undoAccidents({ text, differences }, count - 1, group + 1);
      }
    }
  }
}

function* candidates(input: InputText): Generator<Candidate> {
  const originals = readingsOf(input);
  // Few accidents first: the shortest explanation is the most likely.
  for (let count = 0; count <= maxTogether; count++)
    for (const reading of originals) yield* undoAccidents(reading, count);
}

/** Explains how a text differs from the one with this digest; empty if accidents do not explain it. */
function diagnose(input: InputText, digest: Hex): readonly Difference[] {
  let hashedBytes = 0;
  for (const { text, differences } of candidates(input)) {
    const bytes = new TextEncoder().encode(text);
    hashedBytes += bytes.length;
    if (hashedBytes > maxHashedBytes) break;
    if (sha256(bytes) === digest) return differences;
  }
  return [];
}
