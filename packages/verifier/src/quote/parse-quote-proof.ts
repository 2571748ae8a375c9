import type { Hex } from '../hex.ts';
import { Part } from '../part.ts';
import { chunkUnits, rootOfLeaf } from '../text/quote-tree.ts';
import { checkSegments } from './check-segments.ts';
import {
  fail,
  maxProofSize,
  type QuoteLeaf,
  type QuoteProof,
  QuoteProofInvalidError,
  type QuoteSegment,
  quotedReference,
} from './quote-proof.ts';

/** A quote proof that is valid, except that its root is not compared yet. */
export interface ParsedQuote {
  readonly quote: QuoteProof;
  /** The quote root of every leaf, to compare with the registry. */
  readonly root: Hex;
}

/** Maximum number of siblings: no text has 2^48 chunks. */
const maxDepth = 48;

/** Rejects half a character, because a different half could complete it. */
const readText = (part: Part) =>
  part.text(/^[^\ud800-\udfff]+$/u, 'a non-empty string without lone surrogates');

const readHash = (part: Part) => part.hash().toLowerCase() as Hex;

function readSegment(part: Part): QuoteSegment {
  return {
    text: readText(part.field('text')),
    chunk: part.field('chunk').number(0),
    offset: part.field('offset').number(0),
  };
}

function readLeaf(part: Part): QuoteLeaf {
  const [index, chunk] = part.field('value').list(2, 2, (item) => item) as [Part, Part];
  return {
    value: [index.text(/^(0|[1-9]\d{0,14})$/, 'a decimal number'), readText(chunk)],
    proof: part.field('proof').list(0, maxDepth, readHash),
  };
}

/** Whether a chunk has the full length; only the last chunk of a text is shorter. */
function isWholeChunk(chunk: string): boolean {
  if (chunk.length !== chunkUnits + 1) return chunk.length === chunkUnits;
  return (chunk.codePointAt(chunkUnits - 1) ?? 0) > 0xffff;
}

function chunksOf(leaves: readonly QuoteLeaf[]): ReadonlyMap<number, string> {
  const chunks = leaves.map(({ value: [index, chunk] }) => [Number(index), chunk] as const);
  for (const [position, [index, chunk]] of chunks.entries()) {
    const next = chunks[position + 1];
    if (next && next[0] <= index) fail('The leaves are repeated or not in order.');
    const isLast = next === undefined && chunk.length < chunkUnits;
    if (!isLast && !isWholeChunk(chunk)) fail(`Chunk ${index} has the wrong length.`);
  }
  return new Map(chunks);
}

function rootOf(leaves: readonly QuoteLeaf[]): Hex {
  const roots = leaves.map(({ value: [index, chunk], proof }) => rootOfLeaf(index, chunk, proof));
  const [root, other] = [...new Set(roots)];
  if (other !== undefined) fail('The leaves do not lead to one root.');
  return root ?? fail('The proof has no leaf.');
}

/**
 * Parses a quote proof and checks all but its root: the form, that the chunks contain the quoted pieces in order, and that
 * all leaves lead to one root.
 * @param file JSON as a string or bytes, or parsed
 * @throws QuoteProofInvalidError
 */
export function parseQuoteProof(file: string | Uint8Array | object): ParsedQuote {
  const error = (problem: string) => new QuoteProofInvalidError(`${problem}.`);
  const part = Part.ofFile(file, maxProofSize, error, 'The proof');
  const version = part.version();
  const reference = quotedReference(part.reference('ipfsCid', 'authority'));
  const segments = part.field('segments').list(1, maxProofSize, readSegment);
  const proof = part.field('proof').list(1, maxProofSize, readLeaf);
  checkSegments(segments, chunksOf(proof));
  return { quote: { version, ...reference, segments, proof }, root: rootOf(proof) };
}
