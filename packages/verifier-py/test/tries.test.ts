import { createMerkleProof, createMPT } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { decodeRlp, encodeRlp, type RlpItem } from '../../verifier/src/trie/rlp.ts';
import { readTrie } from '../../verifier/src/trie/trie-proof.ts';
import { rlpItem } from '../../verifier/test/trie/rlp-items.ts';
import { computed, orNull } from './run-python.ts';

const encoded = rlpItem.map((of) => bytesToHex(encodeRlp(of)));

function changed(data: Hex, at: number, by: number): Hex {
  const copy = hexToBytes(data);
  if (copy.length > 0) copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ by;
  return bytesToHex(copy);
}

const inHex = (of: RlpItem): unknown => (of instanceof Uint8Array ? bytesToHex(of) : of.map(inHex));

test('RLP is read as by the library, and what is not canonical by neither', async () => {
  const spoilt = fc.tuple(encoded, fc.nat(), fc.integer({ min: 1, max: 255 })).map((all) => changed(...all));
  const random = fc.uint8Array({ maxLength: 12 }).map((data) => bytesToHex(data));
  const odd = [
    '0x',
    '0x8100',
    '0x817f',
    '0x8180',
    '0xb800',
    '0xb83780',
    '0xc0c0',
    '0xc180',
    '0xf800',
    '0x8001',
  ];
  const zeros = [`0xb90038${'00'.repeat(56)}`, `0xb838${'00'.repeat(56)}`, `0xb837${'00'.repeat(55)}`];
  const inputs = [...odd, ...zeros, ...fc.sample(fc.oneof(encoded, spoilt, random), 1500)] as Hex[];
  const expected = inputs.map((input) => orNull(() => inHex(decodeRlp(hexToBytes(input)))));
  expect(await computed('itemOfRlp', inputs)).toEqual(expected);
  expect(new Set(expected.map((one) => one === null)).size).toBe(2);
});

/** Few digits, so that paths are shared and every kind of node is made, some within their parents. */
const key = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xf0), { minLength: 4, maxLength: 4 })
  .map((digits) => Uint8Array.from(digits));
const value = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
  fc.uint8Array({ minLength: 30, maxLength: 40 }),
);

interface Question {
  readonly root: Hex;
  readonly key: Hex;
  readonly nodes: readonly Hex[];
}

/** The proof as clients give it in either form, and forgeries of it. */
async function questionsOf(
  entries: readonly (readonly [Uint8Array, Uint8Array])[],
  wanted: Uint8Array,
  at: number,
  by: number,
): Promise<Question[]> {
  const trie = await createMPT();
  for (const [each, content] of entries) await trie.put(each, content);
  const nodes = (await createMerkleProof(trie, wanted)).map((node) => bytesToHex(node));
  const lean = nodes.filter((node, position) => position === 0 || node.length - 2 >= 64);
  const place = nodes.length === 0 ? 0 : at % nodes.length;
  const forgeries = [
    nodes.with(place, changed(nodes[place] ?? '0x', by, 1 + (at % 255))),
    nodes.toSpliced(place, 1),
    nodes.toSpliced(place, 0, nodes[place] ?? '0x80'),
    [...nodes, '0x80' as const],
    nodes.toReversed(),
  ];
  return [nodes, lean, ...forgeries].map((list) => {
    return { root: bytesToHex(trie.root()), key: bytesToHex(wanted), nodes: list };
  });
}

const leafPath = Uint8Array.of(0x20, 0x12, 0x34);
const text = Uint8Array.of(0x61, 0x62);
const none = Uint8Array.of();
const branch = (at: number, child: RlpItem) =>
  Array.from({ length: 17 }, (_, place) => (place === at ? child : none));
/** Roots of no trie: nodes as no client makes them. The key is 0x1234. */
const oddNodes: readonly (readonly [string, RlpItem])[] = [
  ['a leaf', [leafPath, text]],
  ['a leaf with another path', [Uint8Array.of(0x20, 0x12, 0x35), text]],
  ['a leaf that ends before the key', [Uint8Array.of(0x20, 0x12), text]],
  ['a leaf that goes on after the key', [Uint8Array.of(0x20, 0x12, 0x34, 0x56), text]],
  ['a leaf of no known kind', [Uint8Array.of(0x40, 0x12, 0x34), text]],
  ['a leaf with a nibble that should be zero', [Uint8Array.of(0x21, 0x12, 0x34), text]],
  ['a leaf without a path', [none, text]],
  ['a leaf with a list for a path', [[text], text]],
  ['a leaf with a list for a value', [leafPath, [text]]],
  ['a leaf with nothing for a value', [leafPath, none]],
  ['an extension to nothing', [Uint8Array.of(0x00, 0x12, 0x34), none]],
  ['an extension to a leaf', [Uint8Array.of(0x00, 0x12), [Uint8Array.of(0x20, 0x34), text]]],
  ['an extension to half a hash', [Uint8Array.of(0x00, 0x12), new Uint8Array(16)]],
  [
    'an extension to a leaf too long for it',
    [Uint8Array.of(0x00, 0x12), [Uint8Array.of(0x20, 0x34), new Uint8Array(32)]],
  ],
  ['a branch', branch(1, [Uint8Array.of(0x32, 0x34), text])],
  ['a branch with nothing there', branch(2, [Uint8Array.of(0x32, 0x34), text])],
  ['a list of three', [leafPath, text, text]],
  ['an empty list', []],
  ['a text', text],
];

test.each(oddNodes)('%s is read as by the library', async (_, node) => {
  const data = encodeRlp(node);
  const question = { root: keccak256(data), key: '0x1234', nodes: [bytesToHex(data)] } as const;
  const expected = orNull(() => valueIn(question));
  expect(await computed('valueAt', [JSON.stringify(question)])).toEqual([expected]);
});

function valueIn({ root, key, nodes }: Question): string {
  const found = readTrie(root, hexToBytes(key), nodes);
  return found === undefined ? 'absent' : bytesToHex(found);
}

test('proofs of tries are read as by the library, and forged ones by neither', async () => {
  const cases = fc.tuple(
    fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 20 }),
    fc.option(key, { freq: 2 }),
    fc.nat(),
    fc.nat(),
  );
  const questions: Question[] = [];
  for (const [entries, other, at, by] of fc.sample(cases, 150))
    questions.push(...(await questionsOf(entries, other ?? entries[0]?.[0] ?? Uint8Array.of(), at, by)));
  const expected = questions.map((question) => orNull(() => valueIn(question)));
  const asked = questions.map((question) => JSON.stringify(question));
  expect(await computed('valueAt', asked)).toEqual(expected);
  const kinds = expected.map((one) => (one === null || one === 'absent' ? one : 'present'));
  expect(new Set(kinds)).toEqual(new Set([null, 'absent', 'present']));
});
