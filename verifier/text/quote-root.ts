import { concat, keccak256 } from 'viem';
import type { Hex } from '../hex.ts';

const chunkUnits = 46;
const word = 32;
const encoder = new TextEncoder();

/** A boundary that would split a surrogate pair moves one unit on. */
function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let chunk = '';
  // Iterating a string goes by whole characters, so no pair is ever split.
  for (const character of text) {
    chunk += character;
    if (chunk.length < chunkUnits) continue;
    chunks.push(chunk);
    chunk = '';
  }
  return chunk === '' ? chunks : [...chunks, chunk];
}

function chunksWithSplitPairs(text: string): string[] {
  const count = Math.ceil(text.length / chunkUnits);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * chunkUnits, (index + 1) * chunkUnits),
  );
}

/** `abi.encode(string, string)`: where each string starts, then each as its length and its bytes in whole words. */
function encodeStrings(strings: readonly string[]): Uint8Array {
  const encoded = strings.map((string) => encoder.encode(string));
  const sizeOf = ({ length }: Uint8Array) => word + Math.ceil(length / word) * word;
  const result = new Uint8Array(encoded.reduce((size, bytes) => size + word + sizeOf(bytes), 0));
  const writeNumber = (at: number, number: number) =>
    new DataView(result.buffer).setUint32(at + word - 4, number);
  let start = word * encoded.length;
  for (const [position, bytes] of encoded.entries()) {
    writeNumber(word * position, start);
    writeNumber(start, bytes.length);
    result.set(bytes, start + word);
    start += sizeOf(bytes);
  }
  return result;
}

/** Hashed twice, so that no inner node can be passed off as a leaf. */
const leafHash = (chunk: string, index: number) =>
  keccak256(keccak256(encodeStrings([String(index), chunk]), 'bytes'));

const parentHash = (a: Hex, b: Hex) => keccak256(concat(a < b ? [a, b] : [b, a]));

/** The root of OpenZeppelin's `StandardMerkleTree` over the leaves `(string index, string chunk)`. */
function rootOf(chunks: readonly string[]): Hex | undefined {
  // The standard's order: leaves from the greatest hash to the least, parents of pairs taken from the end.
  const nodes = chunks.map(leafHash).sort();
  for (let at = 0; at + 1 < nodes.length; at += 2) {
    const [left, right] = [nodes[at], nodes[at + 1]];
    if (left && right) nodes.push(parentHash(left, right));
  }
  return nodes.at(-1);
}

/** Computes the root that the registry keeps as `qvHash`; `undefined` for an empty text, which has none. */
export function quoteRootOfText(text: string): Hex | undefined {
  return rootOf(chunksOf(text));
}

/** The root as public tools compute it: half a surrogate pair on a border is hashed as U+FFFD. */
export function rootWithSplitPairs(text: string): Hex | undefined {
  return rootOf(chunksWithSplitPairs(text));
}
