import { createMerkleProof, createMPT } from '@ethereumjs/mpt';
import fc from 'fast-check';
import { bytesToHex, type Hex, hexToBytes, keccak256, toRlp } from 'viem';
import { expect, test } from 'vitest';
import type { RlpItem } from '../../verifier/src/trie/rlp.ts';
import { readTrie } from '../../verifier/src/trie/trie-proof.ts';
import { computed, orNull } from './run-python.ts';

function changed(data: Hex, at: number, by: number): Hex {
  const copy = hexToBytes(data);
  if (copy.length > 0) copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ by;
  return bytesToHex(copy);
}

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

const leafPath = '0x201234';
const text = '0x6162';
const none = '0x';
const branch = (at: number, child: RlpItem) =>
  Array.from({ length: 17 }, (_, place) => (place === at ? child : none));
/** Roots of no trie: nodes as no client makes them. The key is 0x1234. */
const oddNodes: readonly (readonly [string, RlpItem])[] = [
  ['a leaf', [leafPath, text]],
  ['a leaf with another path', ['0x201235', text]],
  ['a leaf that ends before the key', ['0x2012', text]],
  ['a leaf that goes on after the key', ['0x20123456', text]],
  ['a leaf of no known kind', ['0x401234', text]],
  ['a leaf with a nibble that should be zero', ['0x211234', text]],
  ['a leaf without a path', [none, text]],
  ['a leaf with a list for a path', [[text], text]],
  ['a leaf with a list for a value', [leafPath, [text]]],
  ['a leaf with nothing for a value', [leafPath, none]],
  ['an extension to nothing', ['0x001234', none]],
  ['an extension to a leaf', ['0x0012', ['0x2034', text]]],
  ['an extension to half a hash', ['0x0012', `0x${'00'.repeat(16)}`]],
  ['an extension to a leaf too long for it', ['0x0012', ['0x2034', `0x${'00'.repeat(32)}`]]],
  ['a branch', branch(1, ['0x3234', text])],
  ['a branch with nothing there', branch(2, ['0x3234', text])],
  ['a list of three', [leafPath, text, text]],
  ['an empty list', []],
  ['a text', text],
];

test.each(oddNodes)('%s is read as by the library', async (_, node) => {
  const data = toRlp(node as never, 'hex');
  const question = { root: keccak256(data), key: '0x1234', nodes: [data] } as const;
  const expected = orNull(() => valueIn(question));
  expect(await computed('valueAt', [JSON.stringify(question)])).toEqual([expected]);
});

function valueIn({ root, key, nodes }: Question): string {
  return readTrie(root, key, nodes) ?? 'absent';
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
