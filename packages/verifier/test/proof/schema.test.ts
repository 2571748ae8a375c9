import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { knownCodes } from '../../src/chain/known-registries.ts';
import { parseProof } from '../../src/verifier.ts';
import { cases, fileOf } from './vectors.ts';

const docs = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url)), 'utf8');
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
