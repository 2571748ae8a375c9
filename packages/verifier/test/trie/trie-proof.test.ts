import { createMerkleProof, createMPT, verifyMerkleProof } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { bytesToHex, type Hex, hexToBytes, keccak256, toRlp } from 'viem';
import { expect, test } from 'vitest';
import { ProofUnsoundError, type RlpItem } from '../../src/trie/rlp.ts';
import { emptyTrieRoot, readTrie } from '../../src/trie/trie-proof.ts';

interface Tree {
  readonly root: Hex;
  proof(key: Uint8Array): Promise<Hex[]>;
  value(key: Uint8Array): Promise<Uint8Array | null>;
}

/** A trie of the library. Keys are not hashed, so that few make every kind of node, some within their parents. */
async function trieOf(entries: readonly (readonly [Uint8Array, Uint8Array])[]): Promise<Tree> {
  const trie = await createMPT();
  for (const [key, value] of entries) await trie.put(key, value);
  return {
    root: bytesToHex(trie.root()),
    proof: async (key) => (await createMerkleProof(trie, key)).map((node) => bytesToHex(node)),
    value: (key) => trie.get(key),
  };
}

/** Of one length, as the keys of the chain's tries are: of these none begins another. Few digits, so that paths are shared. */
const key = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xf0), { minLength: 4, maxLength: 4 })
  .map((digits) => Uint8Array.from(digits));
const short = fc.uint8Array({ minLength: 1, maxLength: 3 });
const long = fc.uint8Array({ minLength: 30, maxLength: 40 });
const entriesOf = (value: fc.Arbitrary<Uint8Array>) => fc.array(fc.tuple(key, value), { maxLength: 40 });

test('it reads from proofs what the library has in its trie, and that it has nothing', async () => {
  const kinds = { present: 0, absent: 0 };
  await fc.assert(
    fc.asyncProperty(
      entriesOf(fc.oneof(short, long)),
      fc.array(key, { minLength: 1, maxLength: 5 }),
      async (all, others) => {
        const tree = await trieOf(all);
        for (const wanted of [...all.map(([each]) => each), ...others]) {
          const proof = await tree.proof(wanted);
          const found = readTrie(tree.root, bytesToHex(wanted), proof);
          const value = await tree.value(wanted);
          expect(found).toBe(value ? bytesToHex(value) : undefined);
          // As clients of the chain give it, without the nodes that stand in their parents.
          const lean = proof.filter((node, position) => position === 0 || (node.length - 2) / 2 >= 32);
          expect(readTrie(tree.root, bytesToHex(wanted), lean)).toBe(found);
          kinds[found ? 'present' : 'absent'] += 1;
        }
      },
    ),
    { numRuns: 200 },
  );
  expect(kinds.present).toBeGreaterThan(100);
  expect(kinds.absent).toBeGreaterThan(100);
});

const libraryRead = (root: Hex, wanted: Uint8Array, proof: readonly Hex[]) =>
  verifyMerkleProof(
    wanted,
    proof.map((node) => hexToBytes(node)),
    { root: hexToBytes(root) },
  ).catch(() => 'refused');

test('a proof with any node changed, left out, repeated or in another place is refused', async () => {
  let [refused, libraryRefused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(entriesOf(long), key, fc.nat(), fc.nat(), async (all, wanted, at, by) => {
      const { root, proof } = await trieOf(all);
      const nodes = await proof(wanted);
      if (nodes.length === 0 || root === emptyTrieRoot) return;
      const position = at % nodes.length;
      const node = hexToBytes(nodes[position] ?? '0x');
      node[by % node.length] = (node[by % node.length] ?? 0) ^ (1 + (at % 255));
      const forgeries = [
        nodes.with(position, bytesToHex(node)),
        nodes.toSpliced(position, 1),
        nodes.toSpliced(position, 0, nodes[position] ?? '0x'),
        [...nodes, '0x80' as const],
        nodes.with(position, '0x'),
        ...(nodes.length > 1 ? [nodes.toReversed()] : []),
      ];
      for (const forged of forgeries) {
        expect(() => readTrie(root, bytesToHex(wanted), forged)).toThrow(ProofUnsoundError);
        refused += 1;
        if ((await libraryRead(root, wanted, forged)) === 'refused') libraryRefused += 1;
      }
    }),
    { numRuns: 200 },
  );
  // The library lets surplus nodes pass; whatever it refuses is refused here.
  expect(refused).toBeGreaterThan(500);
  expect(libraryRefused).toBeGreaterThan(refused / 3);
});

test('an empty trie is shown by no node, or by the empty one', () => {
  const read = (root: Hex, nodes: readonly Hex[]) => readTrie(root, '0x1234', nodes);
  expect(read(emptyTrieRoot, [])).toBeUndefined();
  expect(read(emptyTrieRoot, ['0x80'])).toBeUndefined();
  for (const nodes of [['0x80', '0x80'], ['0xc0']] as const)
    expect(() => read(emptyTrieRoot, nodes)).toThrow(ProofUnsoundError);
  expect(() => read(`0x${'11'.repeat(32)}`, [])).toThrow('a node is missing');
});

test('a leaf on the way to a longer key shows that nothing is there', async () => {
  const { root, proof } = await trieOf([[hexToBytes('0x1234'), hexToBytes('0xaa')]]);
  expect(readTrie(root, '0x123456', await proof(hexToBytes('0x1234')))).toBeUndefined();
});

test.each<[string, RlpItem]>([
  ['a path with something in its padding', ['0x211234', '0xaa']],
  ['a path of no kind', ['0x401234', '0xaa']],
  ['no path', ['0x', '0xaa']],
  ['a list for a path', [[], '0xaa']],
  ['a list for a value', ['0x201234', ['0xaa']]],
  ['three items', ['0x201234', '0xaa', '0xaa']],
  ['a child of 31 bytes', ['0x0012', `0x${'00'.repeat(31)}`]],
  ['a child within it of 32 bytes', ['0x0012', ['0x2034', `0x${'11'.repeat(28)}`]]],
  ['bytes', '0x1234'],
])('a node with %s is none, whatever its hash is', (_, node) => {
  const encoded = toRlp(node as never);
  expect(() => readTrie(keccak256(encoded), '0x1234', [encoded])).toThrow(ProofUnsoundError);
});

test.each([
  '0x',
  '0x83aabb',
  '0xc2aa',
  '0xc181',
  '0xb9',
  '0xbfffffffffffffffff',
  '0x0101',
  `0x${'c1'.repeat(5000)}c0`,
] as const)('bytes that are no RLP are no node: %s', (bytes) => {
  expect(() => readTrie(keccak256(bytes), '0x1234', [bytes])).toThrow(ProofUnsoundError);
});
