import { keccak256 as hash } from 'js-sha3';
import { bytesToHex, hexToBytes } from 'viem';
import type { Hex } from '../hex.ts';

/** UTF-16 units in a chunk. */
export const chunkUnits = 46;
const wordBytes = 32;
const encoder = new TextEncoder();

/** A content of 1 MiB needs 68,000 hashes; js-sha3 takes half the time of viem. */
const keccak256 = (bytes: Uint8Array) => new Uint8Array(hash.arrayBuffer(bytes));

const isPair = (text: string, index: number) => (text.codePointAt(index) ?? 0) > 0xffff;

/** The chunks by our rule: a border that would split a surrogate pair moves by one unit. */
function chunksOfWholePairs(text: string): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < text.length; ) {
    const border = start + chunkUnits;
    const end = isPair(text, border - 1) ? border + 1 : border;
    chunks.push(text.slice(start, end));
    start = end;
  }
  return chunks;
}

/** The chunks by the rule of public tools, which replace each half of a split pair with U+FFFD. */
function chunksOfSplitPairs(text: string): string[] {
  const count = Math.ceil(text.length / chunkUnits);
  const chunk = (index: number) => text.slice(index * chunkUnits, (index + 1) * chunkUnits).toWellFormed();
  return Array.from({ length: count }, (_, index) => chunk(index));
}

/** `abi.encode(string, string)` of a number with at most 32 digits and a text. */
function encodeStrings(index: string, chunk: string): Uint8Array {
  const [head, tail] = [encoder.encode(index), encoder.encode(chunk)];
  const [headAt, tailAt] = [2 * wordBytes, 4 * wordBytes];
  const result = new Uint8Array(tailAt + wordBytes + Math.ceil(tail.length / wordBytes) * wordBytes);
  const view = new DataView(result.buffer);
  for (const [position, number] of [headAt, tailAt, head.length].entries())
    view.setUint32((position + 1) * wordBytes - 4, number);
  view.setUint32(tailAt + wordBytes - 4, tail.length);
  result.set(head, headAt + wordBytes);
  result.set(tail, tailAt + wordBytes);
  return result;
}

/** Hashed twice, so that an inner node cannot pass as a leaf. */
const leafHash = (index: string, chunk: string) => keccak256(keccak256(encodeStrings(index, chunk)));

function compareHashes(a: Uint8Array, b: Uint8Array): number {
  let index = 0;
  while (index < wordBytes - 1 && a[index] === b[index]) index++;
  return (a[index] ?? 0) - (b[index] ?? 0);
}

function parentHash(a: Uint8Array, b: Uint8Array): Uint8Array {
  const pair = new Uint8Array(2 * wordBytes);
  const isInOrder = compareHashes(a, b) < 0;
  pair.set(isInOrder ? a : b);
  pair.set(isInOrder ? b : a, wordBytes);
  return keccak256(pair);
}

export function rootOfLeaf(index: string, chunk: string, siblings: readonly Hex[]): Hex {
  const bytes = siblings.map((sibling) => hexToBytes(sibling));
  return bytesToHex(bytes.reduce(parentHash, leafHash(index, chunk)));
}

/** OpenZeppelin's `StandardMerkleTree` over the leaves `(string index, string chunk)`. */
export class QuoteTree {
  readonly chunks: readonly string[];
  /** The registry's `qvHash`; `undefined` without chunks. */
  readonly root: Hex | undefined;
  /** Leaves in ascending order, then the parent of each pair, up to the root. */
  readonly #nodes: Uint8Array[];
  /** Position of each chunk's leaf among the nodes. */
  readonly #positions: readonly number[];

  constructor(chunks: readonly string[]) {
    this.chunks = chunks;
    const leaves = chunks.map((chunk, index) => ({ index, hash: leafHash(String(index), chunk) }));
    leaves.sort((a, b) => compareHashes(a.hash, b.hash));
    const positions: number[] = Array.from({ length: chunks.length });
    for (const [position, { index }] of leaves.entries()) positions[index] = position;
    this.#positions = positions;
    this.#nodes = leaves.map(({ hash }) => hash);
    for (let index = 0; index + 1 < this.#nodes.length; index += 2) this.#nodes.push(this.#parentOf(index));
    const root = this.#nodes.at(-1);
    this.root = root && bytesToHex(root);
  }

  siblings(chunk: number): Hex[] {
    const siblings: Hex[] = [];
    const leaves = this.chunks.length;
    for (let node = this.#positions[chunk] ?? -1; node < 2 * leaves - 2; node = leaves + (node >>> 1))
      siblings.push(bytesToHex(this.#node(node ^ 1)));
    return siblings;
  }

  #parentOf(index: number): Uint8Array {
    return parentHash(this.#node(index), this.#node(index + 1));
  }

  #node(index: number): Uint8Array {
    return this.#nodes[index] ?? new Uint8Array();
  }
}

/** The quote tree by our rule, which the service uses. */
export function quoteTreeOf(text: string): QuoteTree {
  return new QuoteTree(chunksOfWholePairs(text));
}

export function publicQuoteTreeOf(text: string): QuoteTree {
  return new QuoteTree(chunksOfSplitPairs(text));
}

/** The quote tree with this root by either rule; `undefined` if neither has it. */
export function quoteTreeWithRoot(text: string, root: Hex): QuoteTree | undefined {
  const tree = quoteTreeOf(text);
  if (tree.root === root) return tree;
  // The rules differ only if a border moved.
  const hasMovedBorder = tree.chunks.some((chunk) => chunk.length > chunkUnits);
  const publicTree = hasMovedBorder ? publicQuoteTreeOf(text) : undefined;
  return publicTree?.root === root ? publicTree : undefined;
}
