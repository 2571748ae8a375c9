import { readFileSync } from 'node:fs';

interface VectorText {
  readonly name: string;
  /** A JSON string literal, so that no tool on the way can change a character. */
  readonly contentJsonString?: string;
  readonly recipe?: { readonly unit: string; readonly times: number };
}

export function vectorText({ name, contentJsonString, recipe }: VectorText): string {
  if (recipe) return recipe.unit.repeat(recipe.times);
  if (contentJsonString === undefined) throw new Error(`vector "${name}" has no text`);
  return JSON.parse(contentJsonString);
}

function read(name: string) {
  return JSON.parse(readFileSync(new URL(`../../../vectors/${name}`, import.meta.url), 'utf8'));
}

export const cidVectors: {
  readonly vectors: (VectorText & { byteLength: number; sha256Hex: string; cidV1Raw: string })[];
  readonly reject: VectorText[];
} = read('cid.json');

export const quoteVectors: {
  readonly vectors: (VectorText & { chunks: number; qvRoot: string; naive46Root: string })[];
} = read('quote-root.json');
