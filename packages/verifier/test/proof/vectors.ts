import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../../src/verifier.ts';

/** A file of `test/vectors/proofs`, what is changed in it, and what is to be said then. */
export interface ProofCase {
  readonly name: string;
  readonly file: string;
  /** The text; `null`: none is given. */
  readonly text: string | null;
  readonly blockHash: string;
  /** `invalid`: the file is refused. */
  readonly outcome: Outcome | 'invalid';
  /** By JSON pointer, what stands there instead; `null`: nothing does. */
  readonly replace?: Readonly<Record<string, unknown>>;
}

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../test/vectors/proofs/${name}`, import.meta.url)), 'utf8');

export const cases: readonly ProofCase[] = JSON.parse(read('cases.json'));

function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(key), replaceAt(value[Number(key)], rest, by));
  const fields: Record<string, unknown> = { ...(value as object) };
  if (rest.length === 0 && by === null) delete fields[key];
  else fields[key] = replaceAt(fields[key], rest, by);
  return fields;
}

const files = new Map<string, unknown>();

function parsed(file: string): unknown {
  const content: unknown = files.get(file) ?? JSON.parse(read(file));
  files.set(file, content);
  return content;
}

/** The text of a case's file. */
export function fileOf({ file, replace = {} }: Pick<ProofCase, 'file' | 'replace'>): string {
  let content = parsed(file);
  for (const [pointer, by] of Object.entries(replace))
    content = replaceAt(content, pointer.split('/').slice(1), by);
  return JSON.stringify(content);
}
