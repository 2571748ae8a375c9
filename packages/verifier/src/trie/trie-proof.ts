import { bytesToHex, hexToBytes, keccak256 } from 'viem';
import type { Hex } from '../hex.ts';
import { decodeRlp, encodeRlp, RlpInvalidError, type RlpItem } from './rlp.ts';

/** Root of the trie that holds nothing: the hash of the empty item. */
export const emptyTrieRoot: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** The most nodes that a proof has: a key of 32 bytes has 64 nibbles, and there is a leaf at the end. */
export const maxProofNodes = 65;

/** A proof that does not show what is at its key; the message is one plain line and says at which node, from 0. */
export class TrieProofError extends Error {
  override name = 'TrieProofError';
}

const branchItems = 17;
const hashBytes = 32;

function nibblesOf(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 0x0f]);
}

/** The path in a leaf or an extension. Its first nibble tells which of both it is, and whether the path is odd. */
function pathIn(encoded: Uint8Array): { nibbles: number[]; isLeaf: boolean } | undefined {
  const [flag = 4, padding, ...rest] = nibblesOf(encoded);
  const isOdd = (flag & 1) === 1;
  if (flag > 3 || padding === undefined || (!isOdd && padding !== 0)) return undefined;
  return { nibbles: isOdd ? [padding, ...rest] : rest, isLeaf: flag >= 2 };
}

const startsWith = (path: readonly number[], start: readonly number[]) =>
  start.every((nibble, position) => path[position] === nibble);

/** Walks from the root to where the key leads, a node after the other. */
class Walk {
  readonly #nodes: readonly Hex[];
  #used = 0;
  #path: readonly number[];

  constructor(nodes: readonly Hex[], key: Uint8Array) {
    this.#nodes = nodes;
    this.#path = nibblesOf(key);
  }

  /** The value at the key; `undefined` where the trie has none. */
  from(root: Hex): Uint8Array | undefined {
    let next: RlpItem | undefined = this.#isEmpty(root) ? undefined : hexToBytes(root);
    while (next !== undefined) {
      const step = this.#step(this.#nodeAt(next));
      if (step.value !== undefined) return this.#ended(step.value);
      next = step.next;
    }
    return this.#ended(undefined);
  }

  /** Nodes give an empty trie as no node, or as the empty one. */
  #isEmpty(root: Hex): boolean {
    if (root !== emptyTrieRoot) return false;
    if (this.#nodes[0] === '0x80') this.#used = 1;
    return true;
  }

  /** A node by its hash is the next of the proof; one shorter than a hash stands in its parent itself. */
  #nodeAt(reference: RlpItem): readonly RlpItem[] {
    if (!(reference instanceof Uint8Array)) return this.#nodeWithin(reference);
    const node = this.#nodes[this.#used];
    if (node === undefined) throw this.#error('is missing', this.#used);
    if (reference.length !== hashBytes || keccak256(node) !== bytesToHex(reference))
      throw this.#error('is not the one that its parent names', this.#used);
    const decoded = this.#decode(node);
    this.#used += 1;
    return decoded;
  }

  /** Some clients give such a node once more by itself. */
  #nodeWithin(node: readonly RlpItem[]): readonly RlpItem[] {
    const encoded = encodeRlp(node);
    if (encoded.length >= hashBytes) throw this.#error('has a node in it that is too long', this.#used - 1);
    if (this.#nodes[this.#used] === bytesToHex(encoded)) this.#used += 1;
    return node;
  }

  #decode(node: Hex): readonly RlpItem[] {
    try {
      const item = decodeRlp(hexToBytes(node));
      if (!(item instanceof Uint8Array)) return item;
    } catch (error) {
      if (!(error instanceof RlpInvalidError)) throw error;
    }
    throw this.#error('is no node', this.#used);
  }

  /** One node on: to a value, to the next node, or to nothing, which shows that the trie does not have the key. */
  #step(node: readonly RlpItem[]): { value?: Uint8Array; next?: RlpItem | undefined } {
    if (node.length === branchItems) return this.#branch(node);
    const [encoded, item] = node;
    const path = encoded instanceof Uint8Array ? pathIn(encoded) : undefined;
    if (node.length !== 2 || !path || item === undefined) throw this.#error('is no node', this.#used - 1);
    if (!startsWith(this.#path, path.nibbles)) return {};
    const rest = this.#path.slice(path.nibbles.length);
    if (!path.isLeaf) return this.#follow(item, rest);
    return rest.length === 0 ? this.#valueIn(item) : {};
  }

  #branch(node: readonly RlpItem[]) {
    const [nibble, ...rest] = this.#path;
    const item = node[nibble ?? branchItems - 1];
    if (item === undefined) return {};
    return nibble === undefined ? this.#valueIn(item) : this.#follow(item, rest);
  }

  #follow(item: RlpItem, rest: readonly number[]) {
    this.#path = rest;
    return item.length === 0 ? {} : { next: item };
  }

  #valueIn(item: RlpItem) {
    if (!(item instanceof Uint8Array)) throw this.#error('is no node', this.#used - 1);
    return item.length === 0 ? {} : { value: item };
  }

  /** Nodes that are not on the way prove nothing, and could be anything. */
  #ended(value: Uint8Array | undefined): Uint8Array | undefined {
    if (this.#used < this.#nodes.length) throw this.#error('is beyond the end of the path', this.#used);
    return value;
  }

  #error(problem: string, node: number): TrieProofError {
    return new TrieProofError(`node ${node} ${problem}`);
  }
}

/**
 * Reads the value that a Merkle-Patricia trie has at a key, from the nodes on the way there, the root first; `undefined`
 * where they show that the trie has none.
 * @throws TrieProofError where they show neither
 */
export function readTrie(root: Hex, key: Uint8Array, nodes: readonly Hex[]): Uint8Array | undefined {
  return new Walk(nodes, key).from(root);
}
