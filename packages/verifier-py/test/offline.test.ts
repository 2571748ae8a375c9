import fc from 'fast-check';
import { ProofInvalidError, verifyOffline } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { factsOf } from '../../verifier/test/both-verifiers.ts';
import { cases, changesIn, fileOf, type ProofCase } from '../../verifier/test/proof/vectors.ts';
import { computed, runCommand } from './run-python.ts';

interface Question extends Pick<ProofCase, 'blockHash' | 'text'> {
  readonly file: string;
}

/** The library's facts; null if it rejects the file. */
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

test('both verifiers return the outcomes of the vectors', { timeout: 180_000 }, async () => {
  const answers = await compare(cases.map((one) => ({ ...one, file: fileOf(one) })));
  const outcomes = answers.map((answer) => (answer as { outcome: string } | null)?.outcome ?? 'invalid');
  expect(outcomes).toEqual(cases.map(({ outcome }) => outcome));
});

const sound = cases.filter(({ replace, outcome }) => !replace && outcome !== 'unknown');

test('both verifiers agree on changed proof files', { timeout: 180_000 }, async () => {
  const changes = sound.flatMap((one) =>
    [...changesIn(JSON.parse(fileOf(one)))].map(([path, by]) => ({ ...one, replace: { [path]: by } })),
  );
  const sampled = fc.sample(fc.constantFrom(...changes), 200);
  const answers = await compare(sampled.map((one) => ({ ...one, file: fileOf(one) })));
  expect(new Set(answers.map((answer) => answer === null)).size).toBe(2);
});

test('the command verifies offline with a block hash, and states its condition', async () => {
  const [{ file, blockHash } = { file: '', blockHash: '' }] = sound;
  const { code, stdout, stderr } = await runCommand([
    ...['--proof', `test/vectors/proofs/${file}`, '--block-hash', blockHash],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`if ${blockHash} is that block.`);
  expect(stdout).toContain('notYetFinal: true\n');
});
