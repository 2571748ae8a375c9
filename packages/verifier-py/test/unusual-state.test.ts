import { createMerkleProof, createMPT } from '@ethereumjs/mpt';
import { registryDeployment } from 'imprimatur-contracts/deploy/registry-deployment';
import { ProofInvalidError, verifyOffline } from 'imprimatur-verifier';
import { bytesToHex, type Hex, hexToBytes, keccak256, pad, sha256, toBytes, toHex, toRlp, trim } from 'viem';
import { expect, test } from 'vitest';
import { author } from '../../../contracts/test/chain/registry.ts';
import type { RlpItem } from '../../verifier/src/trie/rlp.ts';
import { cidOf } from '../../verifier/test/attested-article.ts';
import { factsOf } from '../../verifier/test/both-verifiers.ts';
import { compute } from './run-python.ts';

const text = 'The bridge is safe.\n';
const digest = sha256(toBytes(text));
/** The first second of a day. */
const revealedAt = Date.parse('2026-03-02T00:00:00Z') / 1000;
const { address, runtimeCode } = registryDeployment(60);

/** Slots of AttestationRegistry 2. */
const mappingSlot = (key: Hex, slot: number) => keccak256(`${pad(key)}${pad(toHex(slot)).slice(2)}` as Hex);
const entry = BigInt(mappingSlot(toHex(1), 6));
const entrySlot = (offset: number) => toHex(entry + BigInt(offset), { size: 32 });
const origin = toHex((1n << 208n) | (BigInt(revealedAt) << 160n) | BigInt(author), { size: 32 });
const words = new Map<Hex, Hex>([
  [mappingSlot(digest, 3), origin],
  [entrySlot(0), digest],
  [entrySlot(1), pad('0x12')],
  [entrySlot(3), pad('0x')],
  [entrySlot(4), pad('0x')],
]);

async function trieOf(items: readonly (readonly [key: Hex, value: RlpItem])[]) {
  const trie = await createMPT();
  for (const [key, value] of items)
    await trie.put(hexToBytes(keccak256(key)), toRlp(value as never, 'bytes'));
  const proof = async (key: Hex) =>
    (await createMerkleProof(trie, hexToBytes(keccak256(key)))).map((node) => bytesToHex(node));
  return { root: bytesToHex(trie.root()), proof };
}

/** What no real chain has; all hashes in the proof are still correct. */
interface Oddities {
  readonly word?: (value: Hex) => Hex;
  readonly moreInAccount?: readonly RlpItem[];
  readonly number?: number;
  readonly time?: string;
}

const shortest = (value: Hex) => trim(value);
const quantity = (value: number) => shortest(toHex(value));

/** A proof file of an invented state in which the text is attested. */
async function fileOf({ word = shortest, moreInAccount = [], number = 7, time }: Oddities) {
  const stored = [...words].filter(([, value]) => BigInt(value) !== 0n);
  const storage = await trieOf(stored.map(([slot, value]) => [slot, word(value)]));
  const codeHash = keccak256(runtimeCode);
  const account: RlpItem[] = [quantity(1), '0x', storage.root, codeHash, ...moreInAccount];
  const state = await trieOf([[address, account]]);
  const fields: RlpItem[] = Array.from({ length: 15 }, () => '0x');
  const filled = fields.with(3, state.root).with(8, quantity(number)).with(11, quantity(revealedAt));
  const header = toRlp(filled as never, 'hex');
  const slots = [...words].sort(([a], [b]) => (a < b ? -1 : 1));
  const blockHash = keccak256(header);
  const { cid } = await cidOf(text);
  const file = {
    version: 1,
    reference: {
      ...{ contentCid: cid, chainId: 1, registryAddress: address },
      ...{ authorityAddress: author, attestationIndex: 1 },
    },
    content: {},
    attested: { time: time ?? '2026-03-02T00:00:00Z' },
    storage: {
      block: { number, hash: blockHash, header, final: true },
      accounts: [
        {
          address,
          accountProof: await state.proof(address),
          code: runtimeCode,
          slots: await Promise.all(
            slots.map(async ([slot, value]) => ({ slot, value, proof: await storage.proof(slot) })),
          ),
        },
      ],
    },
  };
  return { file: JSON.stringify(file), blockHash };
}

const sevenBytes = 2 ** 48;
test.each<[string, Oddities, string | undefined, ((file: string) => string)?]>([
  ['nothing odd', {}, 'verified'],
  ['a byte order mark', {}, 'verified', (file) => `\ufeff${file}`],
  ['a field of 5000 digits', {}, 'verified', (file) => file.replace('{', `{"unknown":${'9'.repeat(5000)},`)],
  [
    'an address after 0X',
    {},
    undefined,
    (file) => file.replace(`"${address}"`, `"${address.toLowerCase().replace('x', 'X')}"`),
  ],
  ['words with leading zeros', { word: (value) => value }, 'unknown'],
  ['a fifth field of an account', { moreInAccount: [quantity(1)] }, 'unknown'],
  ['a number of seven bytes', { number: sevenBytes }, 'unknown'],
  ['a day that no month has', { time: '2026-02-30T00:00:00Z' }, 'unknown'],
  ['an hour that no day has', { time: '2026-03-01T24:00:00Z' }, 'unknown'],
])('both verifiers agree on a file with %s', async (_, oddities, outcome, edited = (file) => file) => {
  const proof = await fileOf(oddities);
  const [file, blockHash] = [edited(proof.file), proof.blockHash];
  const [answer] = await compute('offline', [JSON.stringify({ file, blockHash, text: null })]);
  const bytes = new TextEncoder().encode(file);
  const verdict = await verifyOffline(bytes, { blockHash }).catch((error: unknown) => {
    if (error instanceof ProofInvalidError) return undefined;
    throw error;
  });
  expect([answer, verdict?.outcome]).toEqual([verdict ? factsOf(verdict) : null, outcome]);
});
