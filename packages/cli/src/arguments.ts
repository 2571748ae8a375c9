import { InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from 'imprimatur-terminal/whole-number';

function positiveIntegerParser(subject: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(number)) return number;
    throw new InvalidArgumentError(`${subject} must be a positive integer.`);
  };
}

export const parseChainId = positiveIntegerParser('The chain ID');
export const parseCount = positiveIntegerParser('It');

/** More parallel requests would only wait for each other. */
export const parseConcurrency = wholeNumber(1, 64);

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  // A timer takes at most 2^31 - 1 milliseconds.
  if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && seconds <= 2_000_000) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds, at most 2000000.');
}

export function parseId(text: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must look like 01234567-89ab-cdef-0123-456789abcdef.');
}

export function parseArticleUrl(text: string): string {
  if (URL.canParse(text) && /^https?:\/\//i.test(text)) return text;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

/** A time in a list filter: a date, or a time with a zone. */
export function parseTime(text: string): string {
  const isWellFormed = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  if (isWellFormed && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Use a date or a time with its zone: 2026-11-22 or 2026-11-22T09:00:00Z.');
}

export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

export const referenceOption = () =>
  new Option('--reference <reference>', 'attestation: eip155:<chainId>:<registry>/<index>/…').conflicts(
    'proof',
  );
