import { readFile, writeFile } from 'node:fs/promises';
import { ProofInvalidError, parseProof } from '../proof/parse-proof.ts';
import { type ProofFile, proofPathOf } from '../proof/proof-file.ts';

/** A wrong option, an unreadable file or an unavailable provider; the message is one line. */
export class CommandError extends Error {}

function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'is a directory';
  return code === 'EACCES' ? 'permission denied' : 'cannot be read';
}

export function readBytes(option: string, path: string): Promise<Uint8Array> {
  return readFile(path).catch((cause: unknown) => {
    throw new CommandError(`${option} ${path}: ${describeReadError(cause)}`, { cause });
  });
}

/** Reads a text with its byte order mark, which is part of the content. @throws CommandError */
export async function readText(path: string): Promise<string> {
  const bytes = await readBytes('--file', path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new CommandError(`--file ${path}: not valid UTF-8`, { cause });
  }
}

function parseProofFile(path: string, bytes: Uint8Array): ProofFile {
  try {
    return parseProof(bytes);
  } catch (error) {
    if (!(error instanceof ProofInvalidError)) throw error;
    throw new CommandError(`${path}: ${error.message}`, { cause: error });
  }
}

export async function readProof(path: string): Promise<ProofFile> {
  return parseProofFile(path, await readBytes('--proof', path));
}

/** Reads the proof file that belongs to the text at this path. @throws CommandError */
export async function readProofBeside(path: string): Promise<ProofFile> {
  const proofPath = proofPathOf(path);
  const bytes = await readFile(proofPath).catch(() => {
    throw new CommandError(`missing --proof, and ${proofPath} does not exist or cannot be read`);
  });
  return parseProofFile(proofPath, bytes);
}

export async function writeProof(path: string, proof: ProofFile): Promise<void> {
  await writeFile(path, `${JSON.stringify(proof, null, 1)}\n`).catch((cause: unknown) => {
    throw new CommandError(`--write-proof ${path}: cannot be written`, { cause });
  });
}
