import { sha256 } from 'viem';
import type { Hex } from '../hex.ts';
import { type Difference, diagnose } from './diagnose.ts';
import type { GivenText } from './given-text.ts';
import { quoteTreeWithRoot } from './quote-tree.ts';

/** A text compared with the content of a reference. */
export interface TextComparison {
  /** Whether it is, byte by byte, the content with the CID of the reference. */
  readonly isContent: boolean;
  /** Differences that make up all that is different; empty when it is the content, or no usual accident explains it. */
  readonly differences: readonly Difference[];
}

/** Compares a text with the content that has this digest. */
export function compareText(given: GivenText, digest: Hex): TextComparison {
  const isContent = given.bytes !== undefined && sha256(given.bytes) === digest;
  return { isContent, differences: isContent ? [] : diagnose(given, digest) };
}

/** Whether this quote root is that of the text, by our rule or by that of public tools. */
export function hasQuoteRoot({ text }: GivenText, quoteRoot: Hex): boolean {
  return text !== undefined && quoteTreeWithRoot(text, quoteRoot) !== undefined;
}
