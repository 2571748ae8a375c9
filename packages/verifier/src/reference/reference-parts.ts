import { getAddress, isAddress } from 'viem';
import type { Address } from '../hex.ts';
import { cidOfDigest, digestOfCid } from './content-cid.ts';

/** A malformed reference, or a part of one; the message is one line. */
export class ReferenceInvalidError extends Error {
  override name = 'ReferenceInvalidError';
}

const maxShownUnits = 80;

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Untrusted text in quotes on one line, with escaped control and format characters. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

/** Untrusted text for a message: quoted and shortened. */
export function excerpt(text: string): string {
  return quoted(text.length > maxShownUnits ? `${text.slice(0, maxShownUnits)}…` : text);
}

/** Parses a number from 1 to 2^53 - 1. @throws ReferenceInvalidError */
export function parsePositive(name: string, text: string): number {
  const number = Number(text);
  if (/^[1-9][0-9]*$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new ReferenceInvalidError(`${name} must be a positive integer below 2^53, not ${excerpt(text)}`);
}

/** Parses an address in one case or with a valid checksum, and returns it with the checksum. @throws ReferenceInvalidError */
export function parseAddress(name: string, text: string): Address {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1];
  if (digits === undefined) {
    throw new ReferenceInvalidError(
      `${name} must be an address, 0x and 40 hexadecimal digits, not ${excerpt(text)}`,
    );
  }
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (isOneCase || isAddress(text)) return getAddress(`0x${digits.toLowerCase()}`);
  throw new ReferenceInvalidError(`${name} has a wrong checksum; check it for typing errors`);
}

/** Parses the CID of a content into base32. @throws ReferenceInvalidError */
export function parseCid(name: string, text: string): string {
  try {
    return cidOfDigest(digestOfCid(text));
  } catch (cause) {
    const message = `${name} must be a CIDv1 of codec raw and sha2-256 (bafkrei…), not ${excerpt(text)}`;
    throw new ReferenceInvalidError(message, { cause });
  }
}
