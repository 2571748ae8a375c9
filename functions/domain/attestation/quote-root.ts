import { createKeccak } from 'hash-wasm';
import { bytesToHex, type Hex } from 'viem';

// A content of 1 MiB takes 68,000 hashes. WebAssembly computes them ten times as fast as JavaScript.
const keccak = await createKeccak(256);

function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak.init().update(bytes).digest('binary');
}

const chunkUnits = 46;
const wordBytes = 32;
const encoder = new TextEncoder();

/** Chunks have 46 UTF-16 units, or 47 where 46 would split a surrogate pair. A lone surrogate has no UTF-8 form. */
function quoteChunks(text: string): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + chunkUnits;
    const splitsPair = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    const chunk = text.slice(start, splitsPair ? end + 1 : end);
    chunks.push(chunk);
    start += chunk.length;
  }
  return chunks;
}

const paddedBytes = (lengthBytes: number) => Math.ceil(lengthBytes / wordBytes) * wordBytes;

/** Encodes `abi.encode(string, string)`: two offsets, then each string as its length and its padded bytes. */
function encodeLeaf(index: Uint8Array, chunk: Uint8Array): Uint8Array {
  const indexOffset = 2 * wordBytes;
  const chunkOffset = indexOffset + wordBytes + paddedBytes(index.length);
  const encoded = new Uint8Array(chunkOffset + wordBytes + paddedBytes(chunk.length));
  const view = new DataView(encoded.buffer);
  const writeUint = (offset: number, value: number) => view.setUint32(offset + wordBytes - 4, value);
  writeUint(0, indexOffset);
  writeUint(wordBytes, chunkOffset);
  writeUint(indexOffset, index.length);
  encoded.set(index, indexOffset + wordBytes);
  writeUint(chunkOffset, chunk.length);
  encoded.set(chunk, chunkOffset + wordBytes);
  return encoded;
}

/** Hashes a leaf twice, so that an inner node cannot be presented as a leaf. */
function leafHash(chunk: string, index: number): Uint8Array {
  return keccak256(keccak256(encodeLeaf(encoder.encode(String(index)), encoder.encode(chunk))));
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let position = 0; position < a.length; position++) {
    const difference = (a[position] ?? 0) - (b[position] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parentHash(a: Uint8Array, b: Uint8Array): Uint8Array {
  const pair = new Uint8Array(2 * wordBytes);
  const aFirst = compareBytes(a, b) < 0;
  pair.set(aFirst ? a : b, 0);
  pair.set(aFirst ? b : a, wordBytes);
  return keccak256(pair);
}

/** Computes the `qvHash`: the root of OpenZeppelin's `StandardMerkleTree` of `(string index, string chunk)`. */
export function quoteRoot(text: string): Hex {
  // The standard tree ends with the sorted leaves, reversed. Pairing nodes from a queue gives the same order.
  const nodes = quoteChunks(text).map(leafHash).sort(compareBytes);
  for (let position = 0; position + 1 < nodes.length; position += 2) {
    const [left, right] = [nodes[position + 1], nodes[position]];
    if (left && right) nodes.push(parentHash(left, right));
  }
  const root = nodes.at(-1);
  if (!root) throw new RangeError('a text without characters has no quote root');
  return bytesToHex(root);
}
