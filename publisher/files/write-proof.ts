import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { Attestation, Proof } from '../../client/imprimatur.ts';
import { ProofUnwrittenError, UsageInvalidError } from '../errors.ts';
import { proofBeside } from './proof-path.ts';

/** Parses the path of a proof file; any other name could be that of a text, which would be overwritten. */
export function parseProofPath(text: string): string {
  if (text.endsWith('.json')) return text;
  throw new InvalidArgumentError('A proof file ends with .json.');
}

/**
 * Path of a text's proof file: the one that was given, or beside the text, `article.proof.json` for `article.md`.
 * @throws UsageInvalidError when there is nothing that it could be beside
 */
export function pathOfProof(given: string | true, textPath: string): string {
  if (given !== true) return given;
  if (textPath !== '-') return proofBeside(textPath);
  throw new UsageInvalidError('name the proof file of a text from standard input: --proof FILE');
}

/** Writes the proof file of an attestation, in place of what was there. @throws ProofUnwrittenError */
export async function writeProof(path: string, proof: Proof, attestation: Attestation): Promise<void> {
  await writeFile(path, `${JSON.stringify(proof, null, 1)}\n`).catch((cause: unknown) => {
    throw new ProofUnwrittenError(path, attestation, { cause });
  });
}
