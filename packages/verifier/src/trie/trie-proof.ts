import { keccak256, size, toRlp } from 'viem';
import type { Hex } from '../hex.ts';
import { decodeRlp, ProofUnsoundError, type RlpItem } from './rlp.ts';

export const emptyTrieRoot: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** Maximum number of nodes: one for each nibble of a 32-byte key, and a leaf. */
export const maxProofNodes = 65;

const emptyItem = '0x';
const emptyNode = '0x80';

function fail(problem: string): never {
  throw new ProofUnsoundError(problem);
}

/** Returns the referenced node: the next node of the proof, which has this hash, or a short node inside its parent. */
function takeNode(reference: RlpItem, remaining: Hex[]): readonly RlpItem[] {
  if (typeof reference !== 'string') {
    const encoded = toRlp(reference);
    if (size(encoded) >= 32) fail('an embedded node has 32 bytes or more');
    // Some clients also list an embedded node.
    if (remaining[0] === encoded) remaining.shift();
    return reference;
  }
  const node = remaining.shift() ?? fail('a node is missing');
  if (keccak256(node) !== reference) fail('a node does not match the hash in its parent');
  const items = decodeRlp(node);
  return typeof items === 'string' ? fail('a node is not an RLP list') : items;
}

/** Returns the nibbles of a leaf or an extension. The first digit encodes the kind and the parity. */
function pathIn(encoded: RlpItem | undefined): { path: string; isLeaf: boolean } {
  const [, path] = (typeof encoded === 'string' && /^0x(?:[02]0|[13])(.*)$/.exec(encoded)) || [];
  if (typeof encoded !== 'string' || path === undefined) fail('a node has an invalid path');
  return { path, isLeaf: encoded.charAt(2) >= '2' };
}

function valueIn(item: RlpItem | undefined): Hex | undefined {
  if (typeof item !== 'string') fail('a node has an invalid value');
  return item === emptyItem ? undefined : item;
}

/** Follows the nibbles of a key from the root, and consumes the nodes on the path. */
function findValue(root: Hex, nibbles: string, remaining: Hex[]): Hex | undefined {
  let [reference, path]: [RlpItem, string] = [root, nibbles];
  while (reference !== emptyItem) {
    const node = takeNode(reference, remaining);
    if (node.length === 17) {
      if (path === '') return valueIn(node[16]);
      reference = node[Number.parseInt(path.charAt(0), 16)] ?? emptyItem;
      path = path.slice(1);
    } else if (node.length === 2) {
      const { path: part, isLeaf } = pathIn(node[0]);
      if (!path.startsWith(part)) return undefined;
      path = path.slice(part.length);
      if (isLeaf) return path === '' ? valueIn(node[1]) : undefined;
      reference = node[1] ?? emptyItem;
    } else fail('a node does not have 2 or 17 items');
  }
  return undefined;
}

/**
 * Reads a trie's value at a key from a proof; `undefined` if the proof shows that there is none.
 * @throws ProofUnsoundError
 */
export function readTrie(root: Hex, key: Hex, nodes: readonly Hex[]): Hex | undefined {
  // Clients prove an empty trie with no node or with the empty node.
  if (root === emptyTrieRoot && (nodes.length === 0 || (nodes.length === 1 && nodes[0] === emptyNode)))
    return undefined;
  const remaining = [...nodes];
  const value = findValue(root, key.slice(2), remaining);
  if (remaining.length > 0) fail('a node is not on the path to the key');
  return value;
}
