import { concat, encodeAbiParameters, keccak256 } from 'viem';
import type { Hex } from '../hex.ts';

/** UTF-16 units in a chunk. */
export const chunkUnits = 46;

const isPair = (text: string, at: number) => (text.codePointAt(at) ?? 0) > 0xffff;

/** The chunks of a text by our rule: a border that would split a surrogate pair moves one unit on. */
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

/** The chunks by the rule of public tools. Half a pair has no bytes: it is hashed as U+FFFD, and stands so in the chunk. */
function chunksOfSplitPairs(text: string): string[] {
  const count = Math.ceil(text.length / chunkUnits);
  const chunk = (index: number) => text.slice(index * chunkUnits, (index + 1) * chunkUnits).toWellFormed();
  return Array.from({ length: count }, (_, index) => chunk(index));
}

const leafTypes = [{ type: 'string' }, { type: 'string' }] as const;

/** Hashed twice, so that no inner node can be passed off as a leaf. */
const leafHash = (index: string, chunk: string) =>
  keccak256(keccak256(encodeAbiParameters(leafTypes, [index, chunk])));

const parentHash = (a: Hex, b: Hex) => keccak256(concat(a < b ? [a, b] : [b, a]));

/** The root to which a leaf and the siblings on its way up lead. */
export function rootOfLeaf(index: string, chunk: string, siblings: readonly Hex[]): Hex {
  return siblings.reduce(parentHash, leafHash(index, chunk));
}

/** OpenZeppelin's `StandardMerkleTree` over the leaves `(string index, string chunk)`. */
export class QuoteTree {
  readonly chunks: readonly string[];
  /** The root, which the registry keeps as `qvHash`; `undefined` without chunks. */
  readonly root: Hex | undefined;
  /** Leaves from the least hash to the greatest, then the parents of each two, up to the root. */
  readonly #nodes: readonly Hex[];
  readonly #leaves: readonly Hex[];
  readonly #places: ReadonlyMap<Hex, number>;

  constructor(chunks: readonly string[]) {
    this.chunks = chunks;
    this.#leaves = chunks.map((chunk, index) => leafHash(String(index), chunk));
    const nodes = [...this.#leaves].sort();
    for (let at = 0; at + 1 < nodes.length; at += 2) nodes.push(nodes.slice(at, at + 2).reduce(parentHash));
    this.#nodes = nodes;
    this.#places = new Map(nodes.map((hash, place) => [hash, place]));
    this.root = nodes.at(-1);
  }

  /** The siblings on the way from a chunk's leaf to the root. @throws RangeError when there is no such chunk */
  siblings(index: number): Hex[] {
    const siblings: Hex[] = [];
    const count = this.chunks.length;
    const place = this.#places.get(this.#leaves[index] ?? '0x');
    if (place === undefined) throw new RangeError('there is no such chunk');
    for (let at = place; at < 2 * count - 2; at = count + (at >>> 1))
      siblings.push(...this.#nodes.slice(at ^ 1, (at ^ 1) + 1));
    return siblings;
  }
}

/** The quote tree of a text by our rule, the one that the registry's root is of unless a public tool computed it. */
export function quoteTreeOf(text: string): QuoteTree {
  return new QuoteTree(chunksOfWholePairs(text));
}

/** The quote tree as public tools compute it. */
export function publicQuoteTreeOf(text: string): QuoteTree {
  return new QuoteTree(chunksOfSplitPairs(text));
}

/** The text's quote tree by the rule that gives this root, ours or that of public tools; `undefined` where neither does. */
export function quoteTreeWithRoot(text: string, root: Hex): QuoteTree | undefined {
  const tree = quoteTreeOf(text);
  if (tree.root === root) return tree;
  // The rules differ only where a border is moved: a second tree of the same chunks would be time lost.
  const isMoved = tree.chunks.some((chunk) => chunk.length > chunkUnits);
  const publicTree = isMoved ? publicQuoteTreeOf(text) : undefined;
  return publicTree?.root === root ? publicTree : undefined;
}
