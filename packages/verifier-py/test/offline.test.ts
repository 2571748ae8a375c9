import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ProofInvalidError, verifyOffline } from 'imprimatur-verifier';
import { expect, onTestFinished, test } from 'vitest';
import { factsOf } from '../../verifier/test/both-verifiers.ts';
import { cases, fileOf, type ProofCase } from '../../verifier/test/proof/vectors.ts';
import { computed, runCommand } from './run-python.ts';

interface Question extends Pick<ProofCase, 'blockHash' | 'text'> {
  readonly file: string;
}

/** What the library says; null where it refuses the file. */
async function libraryFacts({ file, blockHash, text }: Question): Promise<unknown> {
  try {
    return factsOf(await verifyOffline(file, { blockHash, text: text ?? undefined }));
  } catch (error) {
    if (error instanceof ProofInvalidError) return null;
    throw error;
  }
}

async function compare(questions: readonly Question[]): Promise<unknown[]> {
  const answers = await computed(
    'offline',
    questions.map((question) => JSON.stringify(question)),
  );
  for (const [place, question] of questions.entries())
    expect(answers[place], JSON.stringify(question).slice(0, 200)).toEqual(await libraryFacts(question));
  return answers;
}

test('the vectors are judged as they say, and as by the library', { timeout: 180_000 }, async () => {
  const answers = await compare(cases.map((one) => ({ ...one, file: fileOf(one) })));
  const outcomes = answers.map((answer) => (answer as { outcome: string } | null)?.outcome ?? 'invalid');
  expect(outcomes).toEqual(cases.map(({ outcome }) => outcome));
});

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The lists and objects in a value, from the outside in. */
function* containersIn(value: Json): Generator<Json[] | { [name: string]: Json }> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const part of Object.values(value)) yield* containersIn(part);
}

const flipped = (hex: string, at: number) => {
  const place = 2 + (at % Math.max(1, hex.length - 2));
  const digit = Number.parseInt(hex[place] ?? '0', 16) ^ (1 + (at % 15));
  return hex.slice(0, place) + digit.toString(16) + hex.slice(place + 1);
};

/** Another value in place of one: null takes it away. */
const changes: Readonly<Record<string, (value: Json, at: number) => Json>> = {
  'one digit': (value, at) => (typeof value === 'string' ? flipped(value, at) : Number(value) + 1),
  nothing: () => null,
  'half of it': (value) => (typeof value === 'string' ? value.slice(0, 2 + 2 * (value.length >> 2)) : []),
  'an empty list': () => [],
  'a number': () => 1.5,
  'it in a list': (value) => [value],
};

/** A file with one value changed, taken away, exchanged with its neighbour or given twice. */
function spoilt(file: string, place: number, kind: string, at: number): string {
  const content: Json = JSON.parse(file);
  const places = [...containersIn(content)].flatMap((container) =>
    Object.keys(container).map((key) => ({ container, key })),
  );
  const { container, key } = places[place % places.length] ?? { container: [], key: '' };
  const value = (container as Record<string, Json>)[key] ?? null;
  const other = changes[kind]?.(value, at);
  if (Array.isArray(container)) {
    const index = Number(key);
    if (kind === 'a neighbour') container.splice(index, 2, ...container.slice(index, index + 2).reverse());
    else if (kind === 'it twice') container.splice(index, 0, value);
    else container.splice(index, 1, ...(other === null ? [] : [other ?? null]));
  } else if (other === null) delete container[key];
  else container[key] = other ?? value;
  return JSON.stringify(content);
}

const sound = cases.filter(({ replace, outcome }) => !replace && outcome !== 'unknown');
const questions = fc
  .tuple(
    fc.constantFrom(...sound),
    fc.nat(),
    fc.constantFrom(...Object.keys(changes), 'a neighbour', 'it twice'),
    fc.nat(),
  )
  .map(([one, place, kind, at]) => ({ ...one, file: spoilt(fileOf(one), place, kind, at) }));

test('files with anything in them changed are judged as by the library', { timeout: 180_000 }, async () => {
  const answers = await compare(fc.sample(questions, 200));
  expect(new Set(answers.map((answer) => answer === null)).size).toBe(2);
});

test('the command verifies with a block hash alone, and says on what that rests', async () => {
  const [first] = sound;
  if (!first) throw new Error('there is no vector');
  const directory = await mkdtemp(join(tmpdir(), 'python-offline-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'proof.json'), fileOf(first));
  await writeFile(join(directory, 'article.txt'), first.text ?? '');
  const files = ['--proof', join(directory, 'proof.json'), '--file', join(directory, 'article.txt')];
  const { code, stdout, stderr } = await runCommand([...files, '--block-hash', first.blockHash]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`if ${first.blockHash} is that block.`);
  expect(stdout).toContain('notYetFinal: true\n');
});
