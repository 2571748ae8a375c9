import type { Hex } from '../hex.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import { type AttestationReference, normalizeReference } from '../reference/reference.ts';
import { compareText } from '../text/compare-text.ts';
import { readInputText } from '../text/input-text.ts';
import { type QuoteTree, quoteTreeOf, quoteTreeWithRoot } from '../text/quote-tree.ts';
import { checkSegments } from './check-segments.ts';
import {
  maxProofSize,
  type QuoteLeaf,
  type QuoteProof,
  QuoteProofInvalidError,
  type QuoteSegment,
  quotedReference,
} from './quote-proof.ts';

/** The text is not the attested one, is not UTF-8, or has another quote root. */
export class AttestedTextMismatchError extends Error {
  override name = 'AttestedTextMismatchError';
}

/** @throws AttestedTextMismatchError */
function checkAttested({ contentCid }: AttestationReference, text: string | Uint8Array): string {
  const input = readInputText(text);
  const { isContent, differences } = compareText(input, digestOfCid(contentCid));
  if (isContent && input.text !== undefined) return input.text;
  const problem = isContent
    ? ['The attested content is not UTF-8 text: no quote of it can be proven.']
    : ['The text is not the attested one.', ...differences.map(({ statement }) => statement)];
  throw new AttestedTextMismatchError(problem.join(' '));
}

function treeWithRoot(text: string, quoteRoot: Hex): QuoteTree {
  const tree = quoteTreeWithRoot(text, quoteRoot);
  if (tree) return tree;
  throw new AttestedTextMismatchError(
    'The quote root in the registry does not match the text: no quote of it can be proven.',
  );
}

/** An attested text from which passages can be quoted. */
export class AttestedText {
  readonly #reference: AttestationReference;
  readonly #text: string;
  readonly #tree: QuoteTree;
  /** For each chunk, the number of units of the text before it. */
  readonly #starts: readonly number[];

  /**
   * Computes the quote tree, which takes about a second for 1 MiB.
   * @param input the exact text or its bytes
   * @param quoteRoot the root in the registry, by our rule or that of public tools; default: the root by our rule
   * @throws AttestedTextMismatchError, ReferenceInvalidError
   */
  constructor(reference: AttestationReference, input: string | Uint8Array, quoteRoot?: Hex) {
    this.#reference = normalizeReference(reference);
    this.#text = checkAttested(this.#reference, input);
    this.#tree = quoteRoot === undefined ? quoteTreeOf(this.#text) : treeWithRoot(this.#text, quoteRoot);
    let units = 0;
    this.#starts = this.#tree.chunks.map(({ length }) => {
      units += length;
      return units - length;
    });
  }

  /**
   * Proves a passage.
   * @param passage pieces in order, or one string in which an ellipsis or words in square brackets mark omissions
   * @throws PassageInvalidError
   */
  quote(passage: string | readonly string[]): QuoteProof {
    const pieces = findPassage(this.#text, passage);
    const segments = pieces.map((piece) => this.#segmentOf(piece));
    // Ascending, because the pieces are in order.
    const indices = [...new Set(pieces.flatMap((piece) => this.#indicesOf(piece)))];
    checkProvable(segments, new Map(indices.map((index) => [index, this.#tree.chunks[index] ?? ''])));
    const proof = indices.map((index) => this.#leaf(index));
    return checkSize({ version: 1, ...quotedReference(this.#reference), segments, proof });
  }

  /** Binary search, because a passage may have many pieces. */
  #chunkAt(unit: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      [low, high] = (this.#starts[middle] ?? 0) <= unit ? [middle, high] : [low, middle];
    }
    return low;
  }

  #segmentOf({ text, start }: FoundPiece): QuoteSegment {
    const chunk = this.#chunkAt(start);
    return { text, chunk, offset: start - (this.#starts[chunk] ?? 0) };
  }

  #indicesOf({ text, start }: FoundPiece): number[] {
    const [first, last] = [this.#chunkAt(start), this.#chunkAt(start + text.length - 1)];
    return Array.from({ length: last - first + 1 }, (_, position) => first + position);
  }

  #leaf(index: number): QuoteLeaf {
    return { value: [String(index), this.#tree.chunks[index] ?? ''], proof: this.#tree.siblings(index) };
  }
}

/** Checks the segments as a reader will. By the rule of public tools, a split character cannot be proven. */
function checkProvable(segments: readonly QuoteSegment[], chunks: ReadonlyMap<number, string>): void {
  try {
    checkSegments(segments, chunks);
  } catch (cause) {
    if (!(cause instanceof QuoteProofInvalidError)) throw cause;
    const message = 'A character of the passage is split between two chunks and cannot be proven: omit it.';
    throw new PassageInvalidError(message, { cause });
  }
}

function checkSize(quote: QuoteProof): QuoteProof {
  if (new TextEncoder().encode(JSON.stringify(quote)).length <= maxProofSize) return quote;
  throw new PassageInvalidError(
    'The passage is too long for a proof: quote less, or publish the whole text.',
  );
}

/** A passage that cannot be quoted; the message is one sentence without the text. */
export class PassageInvalidError extends Error {
  override name = 'PassageInvalidError';
}

interface FoundPiece {
  readonly text: string;
  /** UTF-16 units before it. */
  readonly start: number;
}

/** An ellipsis, or anything in square brackets. Nested brackets would take quadratic time. */
const omission = /\.{3,}|…|\[[^[\]]*\]/;

/** Splits a passage at omissions, unless the text contains it unchanged. */
function piecesOf(text: string, passage: string | readonly string[]): readonly string[] {
  if (typeof passage !== 'string') return passage;
  if (text.includes(passage)) return [passage];
  return passage
    .split(omission)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

const normalizeLoosely = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

function describeMissing(text: string, pieces: readonly string[], position: number): string {
  const piece = pieces[position] ?? '';
  const name = pieces.length === 1 ? 'The passage' : `Piece ${position + 1} of the passage`;
  if (text.includes(piece)) return `${name} is in the text, but not after the piece before it.`;
  const isSimilar = normalizeLoosely(text).includes(normalizeLoosely(piece));
  const hint = isSimilar ? '; a similar one has other white space or another Unicode form' : '';
  return `${name} is not in the text${hint}.`;
}

/** Finds each piece of a passage at its first position after the piece before it. @throws PassageInvalidError */
function findPassage(text: string, passage: string | readonly string[]): FoundPiece[] {
  const pieces = piecesOf(text, passage);
  if (pieces.length === 0 || pieces.includes(''))
    throw new PassageInvalidError('The passage or one of its pieces is empty.');
  // A search for half a character would also find it inside a whole one.
  if (!pieces.every((piece) => piece.isWellFormed()))
    throw new PassageInvalidError('The passage contains half a character (a lone surrogate).');
  let from = 0;
  return pieces.map((piece, position) => {
    const start = text.indexOf(piece, from);
    if (start === -1) throw new PassageInvalidError(describeMissing(text, pieces, position));
    from = start + piece.length;
    return { text: piece, start };
  });
}
