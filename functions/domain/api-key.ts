import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type ApiKeyMode = 'live' | 'test';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = /^imp_(live|test)_[0-9A-Za-z]{38}$/;
const checksumLength = 6;

/** CRC32 in base62, so that a typo is refused without a look-up and secret scanners can match a key. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let position = 0; position < checksumLength; position++) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new key: 32 random base62 characters, about 190 bits, between its mode and its checksum. */
export function generateApiKey(mode: ApiKeyMode, random: (below: number) => number = randomInt): string {
  const secret = Array.from({ length: 32 }, () => base62.charAt(random(base62.length))).join('');
  return `imp_${mode}_${secret}${checksum(`imp_${mode}_${secret}`)}`;
}

/** Whether the text is a key's whole, unmistyped form; says nothing of whether it was ever issued. */
export function isApiKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** SHA-256 in hex: all that is stored of a key. */
export function apiKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
