import fc from 'fast-check';
import { ProofInvalidError, verifyOffline } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { factsOf } from '../../verifier/test/both-verifiers.ts';
import { cases, changesIn, fileOf, type ProofCase } from '../../verifier/test/proof/vectors.ts';
import { compute, runCommand } from './run-python.ts';

interface ProofQuery extends Pick<ProofCase, 'blockHash' | 'text'> {
  readonly file: string;
}

/** The library's facts; null if it rejects the file. */
async function libraryFacts({ file, blockHash, text }: ProofQuery): Promise<unknown> {
  try {
    return factsOf(await verifyOffline(file, { blockHash, text: text ?? undefined }));
  } catch (error) {
    if (error instanceof ProofInvalidError) return null;
    throw error;
  }
}

async function compare(queries: readonly ProofQuery[]): Promise<unknown[]> {
  const answers = await compute(
    'offline',
    queries.map((query) => JSON.stringify(query)),
  );
  for (const [position, query] of queries.entries())
    expect(answers[position], JSON.stringify(query).slice(0, 200)).toEqual(await libraryFacts(query));
  return answers;
}

test('both verifiers return the outcomes of the vectors', async () => {
  const answers = await compare(cases.map((vector) => ({ ...vector, file: fileOf(vector) })));
  const outcomes = answers.map((answer) => (answer as { outcome: string } | null)?.outcome ?? 'invalid');
  expect(outcomes).toEqual(cases.map(({ outcome }) => outcome));
});

const validCases = cases.filter(({ replace, outcome }) => !replace && outcome !== 'unknown');

test('both verifiers agree on changed proof files', async () => {
  const changes = validCases.flatMap((vector) =>
    [...changesIn(JSON.parse(fileOf(vector)))].map(([path, by]) => ({ ...vector, replace: { [path]: by } })),
  );
  const sampled = fc.sample(fc.constantFrom(...changes), 80);
  const answers = await compare(sampled.map((vector) => ({ ...vector, file: fileOf(vector) })));
  expect(new Set(answers.map((answer) => answer === null)).size).toBe(2);
});

test('the command verifies offline with a block hash, and prints the condition of its result', async () => {
  const [{ file, blockHash } = { file: '', blockHash: '' }] = validCases;
  const { code, stdout, stderr } = await runCommand([
    ...['--proof', `test/vectors/proofs/${file}`, '--block-hash', blockHash],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`if ${blockHash} is that block.`);
  expect(stdout).toContain('notYetFinal: true\n');
});
