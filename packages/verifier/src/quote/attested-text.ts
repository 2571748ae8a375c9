import type { Hex } from '../hex.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import { type AttestationReference, normalizeReference } from '../reference/reference.ts';
import { compareText } from '../text/compare-text.ts';
import { readGivenText } from '../text/given-text.ts';
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

/** A text that is not the attested one, or whose quote root is not the registry's; the message is in plain sentences. */
export class AttestedTextMismatchError extends Error {
  override name = 'AttestedTextMismatchError';
}

/** The text, if it is the attested one. Of a text of any other quotes would prove nothing. */
function attestedText({ contentCid }: AttestationReference, given: string | Uint8Array): string {
  const read = readGivenText(given);
  const { isContent, differences } = compareText(read, digestOfCid(contentCid));
  if (isContent && read.text !== undefined) return read.text;
  const statements = isContent ? ['It is not UTF-8.'] : differences.map(({ statement }) => statement);
  throw new AttestedTextMismatchError(['The text is not the attested one.', ...statements].join(' '));
}

function treeWithRoot(text: string, quoteRoot: Hex): QuoteTree {
  const tree = quoteTreeWithRoot(text, quoteRoot);
  if (tree) return tree;
  throw new AttestedTextMismatchError(
    'The quote root in the registry does not match the text: no quote of it can be proven.',
  );
}

/** A text and the attestation of it, from which passages are quoted. */
export class AttestedText {
  readonly #reference: AttestationReference;
  readonly #text: string;
  readonly #tree: QuoteTree;
  /** For each chunk, the units of the text before it. */
  readonly #starts: readonly number[];

  /**
   * Computes the quote tree, which takes about a second for 1 MiB; a quote then takes milliseconds.
   * @param given the text: a file as its bytes, or a string exactly as attested
   * @param quoteRoot the root in the registry, by our rule or by that of public tools; without it, ours is taken on trust
   * @throws AttestedTextMismatchError, ReferenceInvalidError
   */
  constructor(reference: AttestationReference, given: string | Uint8Array, quoteRoot?: Hex) {
    this.#reference = normalizeReference(reference);
    this.#text = attestedText(this.#reference, given);
    this.#tree = quoteRoot === undefined ? quoteTreeOf(this.#text) : treeWithRoot(this.#text, quoteRoot);
    let units = 0;
    this.#starts = this.#tree.chunks.map(({ length }) => {
      units += length;
      return units - length;
    });
  }

  /**
   * Proves a passage.
   * @param passage what stands in the text: pieces in their order, or one string, in which an ellipsis or words in square
   *   brackets stand for what is left out
   * @throws PassageInvalidError
   */
  quote(passage: string | readonly string[]): QuoteProof {
    const pieces = findPassage(this.#text, passage);
    const segments = pieces.map((piece) => this.#segmentOf(piece));
    // Ascending and each once, as the pieces are in order and a set keeps theirs.
    const indices = [...new Set(pieces.flatMap((piece) => this.#indicesOf(piece)))];
    checkShown(segments, new Map(indices.map((index) => [index, this.#tree.chunks[index] ?? ''])));
    const proof = indices.map((index) => this.#leaf(index));
    return withinSize({ version: 1, ...quotedReference(this.#reference), segments, proof });
  }

  /** Found by halving: a passage may have as many pieces as the text has characters. */
  #chunkAt(unit: number): number {
    let [at, end] = [0, this.#starts.length];
    while (end - at > 1) {
      const middle = (at + end) >>> 1;
      [at, end] = (this.#starts[middle] ?? 0) <= unit ? [middle, end] : [at, middle];
    }
    return at;
  }

  #segmentOf({ text, start }: FoundPiece): QuoteSegment {
    const chunk = this.#chunkAt(start);
    return { text, chunk, offset: start - (this.#starts[chunk] ?? 0) };
  }

  #indicesOf({ text, start }: FoundPiece): number[] {
    const [first, last] = [this.#chunkAt(start), this.#chunkAt(start + text.length - 1)];
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  }

  #leaf(index: number): QuoteLeaf {
    return { value: [String(index), this.#tree.chunks[index] ?? ''], proof: this.#tree.siblings(index) };
  }
}

/** Checks as a reader will: by the rule of public tools, a character that they split is not shown by any chunk. */
function checkShown(segments: readonly QuoteSegment[], chunks: ReadonlyMap<number, string>): void {
  try {
    checkSegments(segments, chunks);
  } catch (cause) {
    if (!(cause instanceof QuoteProofInvalidError)) throw cause;
    const message = 'A character of the passage is split between two chunks and cannot be proven: omit it.';
    throw new PassageInvalidError(message, { cause });
  }
}

function withinSize(quote: QuoteProof): QuoteProof {
  if (new TextEncoder().encode(JSON.stringify(quote)).length <= maxProofSize) return quote;
  throw new PassageInvalidError(
    'The passage is too long for a proof: quote less, or publish the whole text.',
  );
}

/** A passage that cannot be quoted from a text; the message is one plain sentence that says why, and nothing of the text. */
export class PassageInvalidError extends Error {
  override name = 'PassageInvalidError';
}

/** A piece of a passage, and where it stands in a text. */
interface FoundPiece {
  readonly text: string;
  /** UTF-16 units before it. */
  readonly start: number;
}

/** What readers take for an omission: an ellipsis, or anything in square brackets. Nested ones would take time squared. */
const omission = /\.{3,}|…|\[[^[\]]*\]/;

/** A passage with omissions in its pieces. One that stands in the text as it is has none: texts have ellipses of their own. */
function piecesOf(text: string, passage: string | readonly string[]): readonly string[] {
  if (typeof passage !== 'string') return passage;
  if (text.includes(passage)) return [passage];
  return passage
    .split(omission)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

const loosely = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

function whyMissing(text: string, pieces: readonly string[], place: number): string {
  const piece = pieces[place] ?? '';
  const name = pieces.length === 1 ? 'The passage' : `Piece ${place + 1} of the passage`;
  if (text.includes(piece)) return `${name} is in the text, but not after the piece before it.`;
  const isNear = loosely(text).includes(loosely(piece));
  const hint = isNear ? '; a similar one has other white space or another Unicode form' : '';
  return `${name} is not in the text${hint}.`;
}

/**
 * Finds a passage in a text, exactly as it stands there: each piece at its first place after the piece before it.
 * @param passage the pieces in order, or one string, in which an ellipsis or words in square brackets stand for omissions
 * @throws PassageInvalidError
 */
function findPassage(text: string, passage: string | readonly string[]): FoundPiece[] {
  const pieces = piecesOf(text, passage);
  if (pieces.length === 0 || pieces.includes('')) throw new PassageInvalidError('The passage is empty.');
  // Half a character can be part of many; it would also be found inside of whole ones.
  if (!pieces.every((piece) => piece.isWellFormed()))
    throw new PassageInvalidError('The passage contains half a character (a lone surrogate).');
  let from = 0;
  return pieces.map((piece, place) => {
    const start = text.indexOf(piece, from);
    if (start === -1) throw new PassageInvalidError(whyMissing(text, pieces, place));
    from = start + piece.length;
    return { text: piece, start };
  });
}
