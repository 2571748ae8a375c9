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
import { cases, changesIn, fileOf, type ProofCase } from './vectors.ts';

async function outcomeOf(proof: string, { blockHash, text }: Pick<ProofCase, 'blockHash' | 'text'>) {
  try {
    return (await verifyOffline(proof, { blockHash, text: text ?? undefined })).outcome;
  } catch (error) {
    if (error instanceof ProofInvalidError) return 'invalid';
    throw error;
  }
}

const plain = cases.filter(({ replace, name }) => replace === undefined && !name.includes(':'));
const vectorOf = (name: string): ProofCase => {
  const found = plain.find((vector) => vector.name === name);
  if (!found) throw new Error(`there is no vector ${name}`);
  return found;
};
const single = vectorOf('single');
const proofFile = fileOf(single);

/** Facts that the file does not prove. Whoever passes the block hash vouches for the chain. */
const unproven = new Set([
  '/reference/chainId',
  '/content/quoteTree',
  '/attested/commitTransaction',
  '/attested/revealTransaction',
  '/attested/block',
  '/publisher/domain',
  '/storage/block/final',
]);

/** With `EVERY_BYTE=1`, every byte is changed once, which takes long; otherwise some of each value. */
const everyByte = process.env.EVERY_BYTE === '1';

test.each(['single', 'corrected', 'later-in-batch'])(
  '`verifyOffline` never verifies a changed proof file: %s',
  async (name) => {
    const vector = vectorOf(name);
    let tried = 0;
    for (const [path, by] of changesIn(JSON.parse(fileOf(vector)), everyByte)) {
      if (unproven.has(path)) continue;
      const outcome = await outcomeOf(fileOf({ ...vector, replace: { [path]: by } }), vector);
      expect(['unknown', 'notFound', 'invalid'], `${path}: ${JSON.stringify(by)}`).toContain(outcome);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(600);
  },
);

test('`verifyOffline` rejects the storage of another attestation', async () => {
  for (const claimed of plain)
    for (const other of plain) {
      if (claimed === other) continue;
      const { reference } = parseProof(fileOf(claimed));
      const forged = fileOf({ ...other, replace: { '/reference': reference } });
      const outcome = await outcomeOf(forged, { ...other, text: claimed.text });
      expect(['unknown', 'notFound'], `${claimed.name} with the storage of ${other.name}`).toContain(outcome);
    }
});

test.each([
  ['an empty file', ''],
  ['text that is not JSON', 'not JSON'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a prototype', '{"__proto__":{"version":1}}'],
  ['10 MB of lists', '['.repeat(10_000_000)],
  ['10 MB of nodes', proofFile.replace('"accountProof":[', `"accountProof":[${'"0x80",'.repeat(1_300_000)}`)],
  ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
])('`verifyOffline` rejects %s with one line', async (_, file) => {
  const refusal = verifyOffline(file, { blockHash: single.blockHash });
  await expect(refusal).rejects.toThrow(ProofInvalidError);
  await expect(refusal).rejects.toThrow(/^[^\n]{1,300}$/);
});

test('`verifyOffline` rejects files longer than 10,000,000 bytes', async () => {
  const padded = (length: number) => proofFile + ' '.repeat(length - proofFile.length);
  expect(await outcomeOf(padded(10_000_000), single)).toBe('verified');
  const tooLong = verifyOffline(padded(10_000_001), { blockHash: single.blockHash });
  await expect(tooLong).rejects.toThrow('the file is longer than 10000000 bytes');
});

test('`verifyOffline` reports a problem and its location', async () => {
  const problemOf = async (replace: ProofCase['replace']) => {
    const proof = fileOf({ ...single, ...(replace && { replace }) });
    const options = { blockHash: single.blockHash };
    return verifyOffline(proof, options).then(
      ({ reason }) => reason,
      ({ message }) => message,
    );
  };
  const slots = '/storage/accounts/0/slots';
  expect(await problemOf({ '/version': 2 })).toBe('version must be 1, the only supported version, not 2');
  expect(await problemOf({ [`${slots}/1/proof/0`]: 7 })).toBe(
    'storage.accounts[0].slots[1].proof[0] must be bytes, 0x and pairs of lower-case hexadecimal digits, not 7',
  );
  expect(await problemOf({ '/reference/contentCid': 'Qm' })).toMatch(/^reference: the CID must be a CIDv1/);
  expect(await problemOf({ [`${slots}/1/proof/1`]: '0x80' })).toBe(
    'The proof is invalid: storage.accounts[0].slots[1].proof: a node does not match the hash in its parent.',
  );
  expect(await problemOf({ '/storage': null })).toMatch(/^The proof is invalid: it has no storage/);
});

test('`verifyOffline` states the condition of its result and what it did not check', async () => {
  const verdict = await verifyOffline(proofFile, { blockHash: single.blockHash, text: single.text ?? '' });
  const { block, notChecked, reference, notices } = verdict;
  expect(verdict.reason).toMatch(
    `As of block ${block?.number} of chain 31337, if ${single.blockHash} is that block.`,
  );
  expect(notChecked).toEqual([
    'content.quoteTree',
    'attested.commitTransaction',
    'attested.revealTransaction',
    'attested.block',
    'publisher.domain',
    'storage.block.final',
  ]);
  expect((await verifyOffline(proofFile, { blockHash: single.blockHash })).notChecked).toContain(
    'content.bytes',
  );
  expect(notices).toContainEqual(expect.stringContaining('its block is not known to be final'));
  const options = { blockHash: single.blockHash };
  expect(await verifyOffline(proofFile, { ...options, reference })).toMatchObject({ outcome: 'verified' });
  for (const other of [{ chainId: 1 }, { attestationIndex: 2 }])
    expect(
      await verifyOffline(proofFile, { ...options, reference: { ...reference, ...other } }),
    ).toMatchObject({ outcome: 'unknown', reason: expect.stringContaining('it is for another attestation') });
  await expect(verifyOffline(proofFile, { ...options, reference: 'eip155:' })).rejects.toThrow(
    ReferenceInvalidError,
  );
  for (const blockHash of ['', '0x12', `${single.blockHash}00`, '456'])
    await expect(verifyOffline(proofFile, { blockHash })).rejects.toThrow(BlockHashInvalidError);
});

const docs = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
const schema = z.fromJSONSchema(JSON.parse(docs('proof-file.schema.json')));

/** Names of the cases whose rules a JSON schema cannot express. */
const beyondSchema = /a slot twice|slots in another order/;

test.each(cases)('the JSON schema accepts what the parser accepts: $name', (vector) => {
  const isAccepted = schema.safeParse(JSON.parse(fileOf(vector))).success;
  expect(isAccepted).toBe(vector.outcome !== 'invalid' || beyondSchema.test(vector.name));
});

test('`parseProof` keeps every field', () => {
  for (const vector of cases.filter(({ replace }) => replace === undefined)) {
    const file = fileOf(vector);
    // Addresses get their checksums; fields may come in another order.
    const lower = (text: string) => JSON.parse(text.toLowerCase());
    expect(lower(JSON.stringify(parseProof(file))), vector.file).toEqual(lower(file));
  }
});

test('docs/proof-file.md has the codes of the known registries', () => {
  const page = docs('proof-file.md');
  for (const { version, constructorCode, maskedCodeHash, delayOffsetsBytes } of knownCodes)
    for (const fact of [version, constructorCode, maskedCodeHash, delayOffsetsBytes.join(' and ')])
      expect(page).toContain(fact);
});
