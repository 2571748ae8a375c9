import { createMerkleProof, createMPT } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { bytesToHex, type Hex, hexToBytes, keccak256, toRlp } from 'viem';
import { expect, test } from 'vitest';
import { compute, orNull } from '../../../verifier-py/test/run-python.ts';
import type { RlpItem } from '../../src/trie/rlp.ts';
import { emptyTrieRoot, readTrie } from '../../src/trie/trie-proof.ts';

interface TrieQuery {
  readonly root: Hex;
  readonly key: Hex;
  readonly nodes: readonly Hex[];
}

/** Reads values from proofs with both verifiers, which must agree; null if they reject the proof. */
async function readByBoth(queries: readonly TrieQuery[]): Promise<(string | null)[]> {
  const read = queries.map(({ root, key, nodes }) => orNull(() => readTrie(root, key, nodes) ?? 'absent'));
  const inputs = queries.map((query) => JSON.stringify(query));
  expect(await compute('valueAt', inputs)).toEqual(read);
  return read;
}

/** Keys of one length, like in the chain's tries, so that none is a prefix of another. Few digits make them share paths. */
const key = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xf0), { minLength: 4, maxLength: 4 })
  .map((digits) => Uint8Array.from(digits));
/** Values, some so short that their nodes are embedded in their parents. */
const value = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
  fc.uint8Array({ minLength: 30, maxLength: 40 }),
);

/** Returns the proof with a node changed, left out, repeated or moved. */
function forgeriesOf(nodes: readonly Hex[], positionSeed: number, byteSeed: number): (readonly Hex[])[] {
  const position = positionSeed % nodes.length;
  const node = hexToBytes(nodes[position] ?? '0x');
  node[byteSeed % node.length] = (node[byteSeed % node.length] ?? 0) ^ (1 + (positionSeed % 255));
  return [
    nodes.with(position, bytesToHex(node)),
    nodes.toSpliced(position, 1),
    nodes.toSpliced(position, 0, nodes[position] ?? '0x'),
    [...nodes, '0x80'],
    nodes.with(position, '0x'),
    ...(nodes.length > 1 ? [nodes.toReversed()] : []),
  ];
}

test('both verifiers read valid proofs and reject forged ones', async () => {
  const tries = fc.tuple(
    fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 20 }),
    fc.option(key, { freq: 2 }),
    fc.nat(),
    fc.nat(),
  );
  const queries: TrieQuery[] = [];
  const expected: (string | null)[] = [];
  for (const [entries, other, positionSeed, byteSeed] of fc.sample(tries, 200)) {
    const trie = await createMPT();
    for (const [each, content] of entries) await trie.put(each, content);
    const wanted = other ?? entries[0]?.[0] ?? Uint8Array.of();
    const found = await trie.get(wanted);
    const nodes = (await createMerkleProof(trie, wanted)).map((node) => bytesToHex(node));
    // Clients of the chain omit the nodes that are embedded in their parents.
    const lean = nodes.filter((node, position) => position === 0 || node.length - 2 >= 64);
    const forgeries = forgeriesOf(lean, positionSeed, byteSeed);
    for (const list of [nodes, lean, ...forgeries])
      queries.push({ root: bytesToHex(trie.root()), key: bytesToHex(wanted), nodes: list });
    const shown = found ? bytesToHex(found) : 'absent';
    expected.push(shown, shown, ...forgeries.map(() => null));
  }
  expect(await readByBoth(queries)).toEqual(expected);
  expect(new Set(expected).size).toBeGreaterThan(20);
});

test('both verifiers accept two proofs of an empty trie', async () => {
  const lists: Hex[][] = [[], ['0x80'], ['0x80', '0x80'], ['0xc0']];
  const read = await readByBoth(lists.map((nodes) => ({ root: emptyTrieRoot, key: '0x1234', nodes })));
  expect(read).toEqual(['absent', 'absent', null, null]);
  expect(() => readTrie(`0x${'11'.repeat(32)}`, '0x1234', [])).toThrow('a node is missing');
});

const leafPath = '0x201234';
const text = '0x6162';
const empty = '0x';
const branch = (index: number, child: RlpItem) =>
  Array.from({ length: 17 }, (_, position) => (position === index ? child : empty));

/** Nodes that no client creates. The root is the node's hash, and the key is 0x1234. */
test.each<[string, RlpItem, string | null]>([
  ['a leaf', [leafPath, text], text],
  ['a leaf with another path', ['0x201235', text], 'absent'],
  ['a leaf that ends before the key', ['0x2012', text], 'absent'],
  ['a leaf with more nibbles than the key', ['0x20123456', text], 'absent'],
  ['a leaf of no known kind', ['0x401234', text], null],
  ['a leaf with a nibble that should be zero', ['0x211234', text], null],
  ['a leaf without a path', [empty, text], null],
  ['a leaf with a list for a path', [[text], text], null],
  ['a leaf with a list for a value', [leafPath, [text]], null],
  ['a leaf with nothing for a value', [leafPath, empty], 'absent'],
  ['an extension to nothing', ['0x001234', empty], 'absent'],
  ['an extension to a leaf', ['0x0012', ['0x2034', text]], text],
  ['an extension to half a hash', ['0x0012', `0x${'00'.repeat(16)}`], null],
  ['an extension to a leaf too long for it', ['0x0012', ['0x2034', `0x${'11'.repeat(28)}`]], null],
  ['a branch', branch(1, ['0x3234', text]), text],
  ['a branch with nothing there', branch(2, ['0x3234', text]), 'absent'],
  ['a list of three', [leafPath, text, text], null],
  ['an empty list', [], null],
  ['a text', text, null],
])('both verifiers agree on %s', async (_, node, expected) => {
  const data = toRlp(node as never, 'hex');
  expect(await readByBoth([{ root: keccak256(data), key: '0x1234', nodes: [data] }])).toEqual([expected]);
});

test('both verifiers reject invalid RLP', async () => {
  const short: Hex[] = ['0x', '0x83aabb', '0xc2aa', '0xc181', '0xb9', '0xbfffffffffffffffff', '0x0101'];
  const all = [...short, `0x${'c1'.repeat(5000)}c0` as const];
  const queries = all.map((bytes) => ({ root: keccak256(bytes), key: '0x1234', nodes: [bytes] }) as const);
  expect(new Set(await readByBoth(queries))).toEqual(new Set([null]));
});
