import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiKeyHash, generateApiKey, isApiKey } from '../../../../functions/domain/organization/api-keys.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a key is its mode, 32 random characters and a checksum of six', () => {
  expect(generateApiKey('live')).toMatch(/^imp_live_[0-9A-Za-z]{38}$/);
  expect(generateApiKey('test')).toMatch(/^imp_test_[0-9A-Za-z]{38}$/);
  expect(generateApiKey('live')).not.toBe(generateApiKey('live'));
});

test('the checksum is the CRC32 of what precedes it, in base62 of six digits', () => {
  const key = generateApiKey('test', () => 0);
  expect(key.slice(0, 41)).toBe(`imp_test_${'0'.repeat(32)}`);
  const value = [...key.slice(41)].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);
  expect(value).toBe(crc32(key.slice(0, 41)));
});

test('every generated key is well-formed', () => {
  for (let n = 0; n < 500; n++) expect(isApiKey(generateApiKey(n % 2 ? 'live' : 'test'))).toBe(true);
});

test('a key with any one character changed is refused', () => {
  const key = generateApiKey('live');
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...base62), (position, character) => {
      const mistyped = key.slice(0, position) + character + key.slice(position + 1);
      expect(isApiKey(mistyped)).toBe(mistyped === key);
    }),
  );
});

test.each([
  '',
  'imp_live_',
  ` ${generateApiKey('live')}`,
  `${generateApiKey('live')}\n`,
  generateApiKey('live').slice(0, -1),
  `${generateApiKey('live')}0`,
  generateApiKey('live').replace('imp', 'IMP'),
  generateApiKey('live').replace('live', 'prod'),
])('what is no key is refused: %j', (text) => {
  expect(isApiKey(text)).toBe(false);
});

test('the stored hash is SHA-256 in hex', () => {
  expect(apiKeyHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
