import { readFile, writeFile } from 'node:fs/promises';
import { parseProof } from '../proof/parse-proof.ts';
import { ProofInvalidError } from '../proof/part.ts';
import type { ProofFile } from '../proof/proof-file.ts';
import { proofBeside } from '../proof/proof-path.ts';
import { FileUnreadableError, readBytes } from './read-text.ts';

function parsed(path: string, bytes: Uint8Array): ProofFile {
  try {
    return parseProof(bytes);
  } catch (error) {
    if (!(error instanceof ProofInvalidError)) throw error;
    throw new FileUnreadableError(`${path}: ${error.message}`, { cause: error });
  }
}

/** Reads a proof file. @throws FileUnreadableError */
export async function readProof(path: string): Promise<ProofFile> {
  return parsed(path, await readBytes('--proof', path));
}

/** Reads the proof file beside an article; `undefined` where there is none. @throws FileUnreadableError */
export async function findProofBeside(path: string): Promise<ProofFile | undefined> {
  const beside = proofBeside(path);
  const bytes = await readFile(beside).catch(() => undefined);
  return bytes && parsed(beside, bytes);
}

/** Writes a proof file, in place of what was there. @throws FileUnreadableError */
export async function writeProof(path: string, proof: ProofFile): Promise<void> {
  await writeFile(path, `${JSON.stringify(proof, null, 1)}\n`).catch((cause: unknown) => {
    throw new FileUnreadableError(`--write-proof ${path}: it cannot be written`, { cause });
  });
}
