import { expect, test } from 'vitest';
import type { Fields } from '../../../functions/domain/records.ts';
import { itemBytes } from './item-size.ts';

const key = { table: 'lanes', pk: 'lane', sk: 'STATE' } as const;

/** Size of "pk", "lane", "sk" and "STATE". */
const keyBytes = 2 + 4 + 2 + 5;

/** Size of fields with names of one letter. */
const bytesOf = (fields: Fields): number => itemBytes(key, fields) - keyBytes - Object.keys(fields).length;

test('counts names and values of the key and of every field', () => {
  expect(itemBytes(key, {})).toBe(keyBytes);
  expect(itemBytes(key, { state: 'open' })).toBe(keyBytes + 5 + 4);
});

test('counts text in UTF-8 and bytes as they are', () => {
  expect(bytesOf({ a: 'Grüße' })).toBe(7);
  expect(bytesOf({ a: new Uint8Array(100) })).toBe(100);
});

test('counts a byte for every two digits that signify, one for the number, and one for a minus', () => {
  expect(bytesOf({ a: 0 })).toBe(1);
  expect(bytesOf({ a: 31337 })).toBe(4);
  expect(bytesOf({ a: -31337 })).toBe(5);
  expect(bytesOf({ a: 0.25 })).toBe(2);
  expect(bytesOf({ a: 15_000_000 })).toBe(2);
});

test('counts one byte for true, false and null, and nothing for what is absent', () => {
  expect(bytesOf({ a: true, b: null })).toBe(2);
  expect(itemBytes(key, { a: undefined })).toBe(keyBytes);
});

test('counts three bytes for a list or a map, and one for each element', () => {
  expect(bytesOf({ a: [], b: {} })).toBe(6);
  expect(bytesOf({ a: ['ab', 'c'] })).toBe(3 + (1 + 2) + (1 + 1));
  expect(bytesOf({ a: { kind: 'link', none: undefined } })).toBe(3 + 1 + 4 + 4);
  expect(bytesOf({ a: [{ kind: 'link' }] })).toBe(3 + 1 + (3 + 1 + 4 + 4));
});
