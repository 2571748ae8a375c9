import { isHash } from 'viem';
import type { Hex } from '../hex.ts';
import { QuoteProofInvalidError } from './quote-proof.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Leaves lie at most so deep in a tree: no text has 2^48 chunks. */
const maxDepth = 48;

/** @throws QuoteProofInvalidError */
export function fail(problem: string, cause?: unknown): never {
  throw new QuoteProofInvalidError(problem, { cause });
}

export function fieldsOf(name: string, value: unknown): Fields {
  if (typeof value !== 'object' || value === null) fail(`${name} is not an object.`);
  return { ...value };
}

/** A list with something in it. */
export function listOf(name: string, value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length > 0 ? value : fail(`${name} is not a list of one or more.`);
}

/** A text of whole characters: half of one could be completed to another one than was attested. */
export function textIn(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') fail(`${name} is not a text.`);
  return value.isWellFormed() ? value : fail(`${name} has half a character (a lone surrogate).`);
}

export function countIn(name: string, value: unknown): number {
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isCount ? value : fail(`${name} is not a whole number from 0 on.`);
}

/** A whole number in decimal digits, without zeros before it: each number in one way only. */
export function decimalIn(name: string, value: unknown): string {
  const isDecimal = typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value);
  return isDecimal ? value : fail(`${name} is not a decimal number.`);
}

export function hashesIn(name: string, value: unknown): Hex[] {
  if (!Array.isArray(value) || value.length > maxDepth) fail(`${name} is not a list of hashes.`);
  return value.map((hash: unknown) => {
    const isBytes = typeof hash === 'string' && isHash(hash);
    return isBytes ? hash : fail(`${name} has a hash that is not 32 bytes in hexadecimal.`);
  });
}
