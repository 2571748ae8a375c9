import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { Attestation, Proof } from 'imprimatur-client';
import { proofPathOf } from 'imprimatur-verifier';
import { ProofUnwrittenError, UsageInvalidError } from '../errors.ts';

/** Parses the path of a proof file. Requiring `.json` prevents overwriting a text. */
export function parseProofPath(text: string): string {
  if (text.endsWith('.json')) return text;
  throw new InvalidArgumentError('It must end with .json.');
}

/** Path of a text's proof file: the given one, or `article.proof.json` beside `article.md`. */
export function pathOfProof(option: string | true, textPath: string): string {
  if (option !== true) return option;
  if (textPath !== '-') return proofPathOf(textPath);
  throw new UsageInvalidError('for a text from stdin, pass --proof FILE');
}

/** Domain of an article's URL; `undefined` for an IP address or a host name without a dot. */
function domainOf(url: string | undefined): string | undefined {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : '';
  return /^(?:[a-z0-9-]+\.)+(?!\d+$)[a-z0-9-]+$/.test(host) ? host : undefined;
}

/** Writes or overwrites a proof file, with the article's domain as a hint. @throws ProofUnwrittenError */
export async function writeProof(path: string, proof: Proof, attestation: Attestation): Promise<void> {
  const domain = domainOf(attestation.url);
  const file = domain === undefined ? proof : { ...proof, publisher: { domain } };
  await writeFile(path, `${JSON.stringify(file, null, 1)}\n`).catch(() => {
    throw new ProofUnwrittenError(path, attestation);
  });
}
