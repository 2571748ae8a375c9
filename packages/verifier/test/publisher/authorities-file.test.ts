import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AuthoritiesInvalidError, maxAuthoritiesBytes, parseAuthorities } from '../../src/verifier.ts';
import { fileOf } from './entries.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const entry = { address, chainIds: [1, 8453], since: '2026-11-22T00:00:00Z', until: null, signature: '0x12' };
const schema = z.fromJSONSchema(
  JSON.parse(
    readFileSync(new URL('../../../../docs/attestation-authorities.schema.json', import.meta.url), 'utf8'),
  ),
);
const schemaAccepts = (file: string) => schema.safeParse(JSON.parse(file)).success;

test('`parseAuthorities` ignores unknown fields and adds checksums to addresses', () => {
  const closed = { ...entry, until: '2027-01-01T00:00:00Z' };
  const more = { ...entry, address: address.toLowerCase(), name: 'The Example' };
  const file = fileOf(closed, more);
  expect(parseAuthorities(file)).toEqual({ version: 1, authorities: [closed, entry] });
  expect(schemaAccepts(file)).toBe(true);
  const bytes = new TextEncoder().encode(`\ufeff${fileOf()}`);
  expect(parseAuthorities(bytes)).toEqual({ version: 1, authorities: [] });
});

test.each([
  ['address', { address: '0x12' }, 'authorities[0].address must be an address'],
  ['chainIds', { chainIds: [] }, 'authorities[0].chainIds must list at least one chain ID'],
  ['chainIds', { chainIds: ['1'] }, 'authorities[0].chainIds[0] must be a whole number'],
  ['since', { since: '2026-11-22' }, 'authorities[0].since must be a time in UTC to the second'],
  ['since', { since: undefined }, 'authorities[0].since is missing'],
  ['until', { until: '2027-01-01T00:00:00+01:00' }, 'authorities[0].until must be a time'],
  ['until', { until: undefined }, 'authorities[0].until is missing'],
  ['signature', { signature: '0x' }, 'authorities[0].signature must be a signature'],
  ['signature', { signature: '0x123' }, 'authorities[0].signature must be a signature'],
])('`parseAuthorities` rejects the %s of %j', (_, changes, problem) => {
  const file = fileOf({ ...entry, ...changes });
  expect(() => parseAuthorities(file)).toThrow(AuthoritiesInvalidError);
  expect(() => parseAuthorities(file)).toThrow(problem);
  expect(schemaAccepts(file)).toBe(false);
});

test.each([
  ['a wrong checksum', { address: address.replace('C8', 'c8') }, 'wrong checksum'],
  ['chains in descending order', { chainIds: [8453, 1] }, 'in ascending order'],
  ['a chain twice', { chainIds: [1, 1] }, 'without duplicates'],
  ['a day that does not exist', { since: '2026-02-30T00:00:00Z' }, 'since must be a time'],
  ['an end before its beginning', { until: '2026-11-21T00:00:00Z' }, 'until must not be before "since"'],
])('`parseAuthorities` rejects %s', (_, changes, problem) => {
  expect(() => parseAuthorities(fileOf({ ...entry, ...changes }))).toThrow(problem);
});

test.each([
  ['not JSON', '{', 'the file is not JSON'],
  ['of another version', '{"version":2,"authorities":[]}', 'version must be 1'],
  ['without a list', '{"version":1}', 'authorities is missing'],
  ['too long', ' '.repeat(maxAuthoritiesBytes + 1), 'longer than 65536 bytes'],
  ['too full', fileOf(...Array.from({ length: 257 }, () => ({}))), 'authorities has 257 items'],
])('`parseAuthorities` rejects a file that is %s', (_, file, problem) => {
  expect(() => parseAuthorities(file)).toThrow(problem);
  expect(() => parseAuthorities(new TextEncoder().encode(file))).toThrow(problem);
});
