import { hexToBytes } from 'viem';
import type { Hex } from '../hex.ts';
import { normalizeReference } from '../reference/reference.ts';
import { ReferenceInvalidError } from '../reference/reference-parts.ts';
import { chunkUnits, rootOfLeaf } from '../text/quote-tree.ts';
import { checkSegments } from './check-segments.ts';
import { countIn, decimalIn, type Fields, fail, fieldsOf, hashesIn, listOf, textIn } from './proof-fields.ts';
import {
  maxProofSize,
  type QuoteLeaf,
  type QuoteProof,
  type QuoteSegment,
  quotedReference,
} from './quote-proof.ts';

/** A quote proof that holds in itself. */
export interface ParsedQuote {
  readonly quote: QuoteProof;
  /** The quote root to which every leaf leads; what is left is to find it in the registry. */
  readonly root: Hex;
}

function jsonOf(given: string | Uint8Array): unknown {
  if (given.length > maxProofSize)
    fail(`The proof is larger than ${maxProofSize.toLocaleString('en')} bytes.`);
  try {
    const isText = typeof given === 'string';
    return JSON.parse(isText ? given : new TextDecoder('utf-8', { fatal: true }).decode(given));
  } catch (cause) {
    return fail('The proof is not JSON.', cause);
  }
}

function parseSegment(value: unknown): QuoteSegment {
  const { text, chunk, offset } = fieldsOf('A segment', value);
  return {
    text: textIn('The text of a segment', text),
    chunk: countIn('The chunk of a segment', chunk),
    offset: countIn('The offset of a segment', offset),
  };
}

function parseLeaf(value: unknown): QuoteLeaf {
  const { value: pair, proof } = fieldsOf('A leaf', value);
  const [index, chunk, ...more] = listOf('The value of a leaf', pair);
  if (more.length > 0) fail('The value of a leaf is more than an index and a chunk.');
  return {
    value: [decimalIn('The index of a leaf', index), textIn('The chunk of a leaf', chunk)],
    proof: hashesIn('The proof of a leaf', proof),
  };
}

function parseReferenceFields(fields: Fields) {
  const { ipfsCid, chainId, registryAddress, authority, attestationIndex } = fields;
  const reference = {
    contentCid: textIn('ipfsCid', ipfsCid),
    chainId: countIn('chainId', chainId),
    registryAddress: textIn('registryAddress', registryAddress) as Hex,
    authorityAddress: textIn('authority', authority) as Hex,
    attestationIndex: countIn('attestationIndex', attestationIndex),
  };
  try {
    return quotedReference(normalizeReference(reference));
  } catch (error) {
    if (!(error instanceof ReferenceInvalidError)) throw error;
    return fail(`The proof names no attestation: ${error.message}.`, error);
  }
}

/** Whether a chunk is as long as chunks are; only the last one of a text is shorter. */
function isWholeChunk(chunk: string): boolean {
  if (chunk.length !== chunkUnits + 1) return chunk.length === chunkUnits;
  return (chunk.codePointAt(chunkUnits - 1) ?? 0) > 0xffff;
}

/** The chunks by their index. @throws QuoteProofInvalidError unless each is there once, and in order */
function chunksOf(leaves: readonly QuoteLeaf[]): ReadonlyMap<number, string> {
  const chunks = leaves.map(({ value: [index, chunk] }) => [Number(index), chunk] as const);
  for (const [place, [index, chunk]] of chunks.entries()) {
    const next = chunks[place + 1];
    if (next && next[0] <= index) fail('The leaves are repeated or not in order.');
    const isLast = next === undefined && chunk.length < chunkUnits;
    if (!isLast && !isWholeChunk(chunk)) fail(`Chunk ${index} has not the length of a chunk.`);
  }
  return new Map(chunks);
}

function rootOf(leaves: readonly QuoteLeaf[]): Hex {
  const roots = leaves.map(({ value: [index, chunk], proof }) =>
    rootOfLeaf(
      index,
      chunk,
      proof.map((sibling) => hexToBytes(sibling)),
    ),
  );
  const [root, other] = [...new Set(roots)];
  if (other !== undefined) fail('The leaves do not lead to one root: one of them was changed.');
  return root ?? fail('The proof has no leaf.');
}

/**
 * Parses a quote proof and checks all that can be checked without the chain: its form, that its chunks hold the quoted
 * pieces in order and without gaps, and that they lead to one root.
 * @param given the JSON as a text or as the bytes of a file, or what it was parsed to
 * @throws QuoteProofInvalidError
 */
export function parseQuoteProof(given: string | Uint8Array | object): ParsedQuote {
  const isJson = typeof given === 'string' || given instanceof Uint8Array;
  const fields = fieldsOf('The proof', isJson ? jsonOf(given) : given);
  if (fields.version !== 1) fail('The proof is not of version 1, the only one known here.');
  const segments = listOf('segments', fields.segments).map(parseSegment);
  const proof = listOf('proof', fields.proof).map(parseLeaf);
  checkSegments(segments, chunksOf(proof));
  return { quote: { version: 1, ...parseReferenceFields(fields), segments, proof }, root: rootOf(proof) };
}
