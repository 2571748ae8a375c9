import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { knownCodes } from '../../src/chain/known-registries.ts';
import {
  BlockHashInvalidError,
  ProofInvalidError,
  parseProof,
  ReferenceInvalidError,
  verifyOffline,
} from '../../src/verifier.ts';
import { cases, fileOf, type ProofCase } from './vectors.ts';

async function outcomeOf(proof: string, { blockHash, text }: Pick<ProofCase, 'blockHash' | 'text'>) {
  try {
    return (await verifyOffline(proof, { blockHash, text: text ?? undefined })).outcome;
  } catch (error) {
    if (error instanceof ProofInvalidError) return 'invalid';
    throw error;
  }
}

test.each(cases)('vector $name: $outcome', async (vector) => {
  expect(await outcomeOf(fileOf(vector), vector)).toBe(vector.outcome);
});

const plain = cases.filter(({ replace, name }) => replace === undefined && !name.includes(':'));
const vectorOf = (name: string): ProofCase => {
  const found = plain.find((vector) => vector.name === name);
  if (!found) throw new Error(`there is no vector ${name}`);
  return found;
};
const alone = vectorOf('alone');
const aloneFile = fileOf(alone);

/** Changes one hexadecimal digit, counted from the first after 0x. */
const withDigit = (hex: string, at: number) => {
  const digit = Number.parseInt(hex[at + 2] ?? '0', 16) ^ 1;
  return hex.slice(0, at + 2) + digit.toString(16) + hex.slice(at + 3);
};

/** Facts that nothing proves, and the chain: that the block is of that chain is on whoever gives its hash. */
const unproven = new Set([
  '/reference/chainId',
  '/content/quoteTree',
  '/attested/commitTransaction',
  '/attested/revealTransaction',
  '/attested/block',
  '/publisher/domain',
  '/storage/block/final',
]);

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

function leavesOf(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}/${key}`));
}

/** With `npm run rehearse -- evidence` every byte is changed once, which takes long; otherwise some of each value. */
const isEvery = process.env.EVERY_BYTE === '1';
const patience = isEvery ? 7_200_000 : 60_000;

/** Of long values about sixteen digits, from the first to the last; of short ones all. */
function changesOf({ value }: Leaf): unknown[] {
  if (typeof value === 'number') return [value + 1, value - 1, 0];
  if (typeof value !== 'string') return [];
  if (!value.startsWith('0x'))
    return [`${value}x`, value.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10))];
  const digits = value.length - 2;
  const step = isEvery ? 2 : Math.max(1, Math.floor(digits / 16));
  const places = Array.from({ length: Math.ceil(digits / step) }, (_, count) => count * step);
  return [...new Set([...places, digits - 1])].map((at) => withDigit(value, at));
}

const mutated = ['alone', 'corrected', 'later-in-batch'];
test.each(mutated)(
  'every fact, node and sampled byte of %s changed in turn is never verified',
  { timeout: patience },
  async (name) => {
    const vector = vectorOf(name);
    const leaves = leavesOf(JSON.parse(fileOf(vector))).filter(({ path }) => !unproven.has(path));
    let tried = 0;
    for (const leaf of leaves) {
      for (const by of changesOf(leaf)) {
        if (by === leaf.value) continue;
        const forged = fileOf({ ...vector, replace: { [leaf.path]: by } });
        const outcome = await outcomeOf(forged, vector);
        expect(['unknown', 'notFound', 'invalid'], `${leaf.path}: ${by}`).toContain(outcome);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(500);
  },
);

type Json = Readonly<Record<string, unknown>> | readonly unknown[];
interface ListPlace {
  readonly path: string;
  readonly items: readonly unknown[];
}

function listsOf(value: unknown, path = ''): ListPlace[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value as Json).flatMap(([key, each]) => listsOf(each, `${path}/${key}`));
  return Array.isArray(value) ? [{ path, items: value }, ...inner] : inner;
}

test.each(mutated)(
  '%s with anything left out, repeated or in another order is never verified',
  async (name) => {
    const vector = vectorOf(name);
    for (const { path, items } of listsOf(JSON.parse(fileOf(vector)))) {
      const forgeries = items.flatMap((item, at) => [items.toSpliced(at, 1), items.toSpliced(at, 0, item)]);
      if (items.length > 1) forgeries.push(items.toReversed(), [...items.slice(1), items[0]]);
      if (items.length > 0) forgeries.push([]);
      for (const forged of [...forgeries, [...items, '0x80']]) {
        const outcome = await outcomeOf(fileOf({ ...vector, replace: { [path]: forged } }), vector);
        expect(['unknown', 'notFound', 'invalid'], `${path} ${JSON.stringify(forged)}`).toContain(outcome);
      }
    }
  },
);

test('the storage of one attestation proves nothing of another', async () => {
  for (const one of plain)
    for (const another of plain) {
      if (one === another) continue;
      const { reference } = parseProof(fileOf(one));
      const forged = fileOf({ ...another, replace: { '/reference': reference } });
      const outcome = await outcomeOf(forged, { ...another, text: one.text });
      expect(['unknown', 'notFound'], `${one.name} with the storage of ${another.name}`).toContain(outcome);
    }
});

test.each([
  ['nothing', ''],
  ['no JSON', 'not JSON'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a prototype', '{"__proto__":{"version":1}}'],
  ['10 MB of lists', '['.repeat(10_000_000)],
  ['10 MB of nodes', aloneFile.replace('"accountProof":[', `"accountProof":[${'"0x80",'.repeat(1_300_000)}`)],
  ['bytes that are no text', Uint8Array.of(0x7b, 0xff, 0x7d)],
])('%s is refused with one plain line', async (_, file) => {
  const refusal = verifyOffline(file, { blockHash: alone.blockHash });
  await expect(refusal).rejects.toThrow(ProofInvalidError);
  await expect(refusal).rejects.toThrow(/^[^\n]{1,300}$/);
});

test('a good file is refused beyond 10,000,000 bytes, and not below', async () => {
  const padded = (length: number) => aloneFile + ' '.repeat(length - aloneFile.length);
  expect(await outcomeOf(padded(10_000_000), alone)).toBe('verified');
  const tooLong = verifyOffline(padded(10_000_001), { blockHash: alone.blockHash });
  await expect(tooLong).rejects.toThrow('the file is longer than 10000000 bytes');
});

test('it says what is wrong, and where', async () => {
  const said = async (replace: ProofCase['replace']) => {
    const proof = fileOf({ ...alone, ...(replace && { replace }) });
    const options = { blockHash: alone.blockHash };
    return verifyOffline(proof, options).then(
      ({ reason }) => reason,
      ({ message }) => message,
    );
  };
  const slots = '/storage/accounts/0/slots';
  expect(await said({ '/version': 2 })).toBe('version must be 1, the only version that is known here, not 2');
  expect(await said({ [`${slots}/1/proof/0`]: 7 })).toBe(
    'storage.accounts[0].slots[1].proof[0] must be bytes, 0x and pairs of lower-case hexadecimal digits, not 7',
  );
  expect(await said({ '/reference/contentCid': 'Qm' })).toMatch(/^reference: the CID must be a CIDv1/);
  expect(await said({ [`${slots}/1/proof/1`]: '0x80' })).toBe(
    'The proof does not hold: storage.accounts[0].slots[1].proof: a node is not the one that its parent names.',
  );
  expect(await said({ '/storage': null })).toMatch(/^The proof does not hold: it has no storage/);
});

test('it says on what the verdict rests, and what is not checked', async () => {
  const verdict = await verifyOffline(aloneFile, { blockHash: alone.blockHash, text: alone.text ?? '' });
  const { block, notChecked, reference, notices } = verdict;
  expect(verdict.reason).toMatch(
    `As of block ${block?.number} of chain 31337, if ${alone.blockHash} is that block.`,
  );
  expect(notChecked).toEqual([
    'content.quoteTree',
    'attested.commitTransaction',
    'attested.revealTransaction',
    'attested.block',
    'publisher.domain',
    'storage.block.final',
  ]);
  expect((await verifyOffline(aloneFile, { blockHash: alone.blockHash })).notChecked).toContain(
    'content.bytes',
  );
  expect(notices).toContainEqual(expect.stringContaining('its block is not known to be final'));
  const options = { blockHash: alone.blockHash };
  expect(await verifyOffline(aloneFile, { ...options, reference })).toMatchObject({ outcome: 'verified' });
  for (const other of [{ chainId: 1 }, { attestationIndex: 2 }])
    expect(
      await verifyOffline(aloneFile, { ...options, reference: { ...reference, ...other } }),
    ).toMatchObject({ outcome: 'unknown', reason: expect.stringContaining('it is of another attestation') });
  await expect(verifyOffline(aloneFile, { ...options, reference: 'eip155:' })).rejects.toThrow(
    ReferenceInvalidError,
  );
  for (const blockHash of ['', '0x12', `${alone.blockHash}00`, '456'])
    await expect(verifyOffline(aloneFile, { blockHash })).rejects.toThrow(BlockHashInvalidError);
});

const docs = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
const schema = z.fromJSONSchema(JSON.parse(docs('proof-file.schema.json')));

/** Rules that no schema can say, by the names of their cases. */
const beyondSchema = /a slot twice|slots in another order/;

test.each(cases)('the schema takes what the parser takes: $name', (vector) => {
  const isTaken = schema.safeParse(JSON.parse(fileOf(vector))).success;
  expect(isTaken).toBe(vector.outcome !== 'invalid' || beyondSchema.test(vector.name));
});

test('a file is parsed into the very same', () => {
  for (const vector of cases.filter(({ replace }) => replace === undefined)) {
    const file = fileOf(vector);
    // Addresses get their checksums; fields may come in another order.
    const lower = (text: string) => JSON.parse(text.toLowerCase());
    expect(lower(JSON.stringify(parseProof(file))), vector.file).toEqual(lower(file));
  }
});

test('the page has all that a checker needs to know the registries', () => {
  const page = docs('proof-file.md');
  for (const { version, constructorCode, maskedCodeHash, delayOffsetsBytes } of knownCodes)
    for (const fact of [version, constructorCode, maskedCodeHash, delayOffsetsBytes.join(' and ')])
      expect(page).toContain(fact);
});
