import type { InputText } from '../text/input-text.ts';
import { isoTime } from '../verdict/sentences.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { ProofFile } from './proof-file.ts';

/** Returns the name of the first plain field of a proof file that contradicts the registry or the text. */
export function findContradiction(
  { content, attested, registry: claimed }: ProofFile,
  { registry, record }: Pick<Verdict, 'registry' | 'record'>,
  input?: InputText,
): string | undefined {
  const { entry } = record ?? {};
  // Compared as strings, because Date.parse accepts 30 February.
  const time = entry && isoTime(entry.timestamp);
  const matches = {
    'registry.codeHash': !claimed || !registry || claimed.codeHash === registry.codeHash,
    'content.quoteRoot': !entry || (content.quoteRoot ?? entry.quoteRoot) === entry.quoteRoot,
    'attested.time': !time || [time, time.replace('.000Z', 'Z')].includes(attested.time),
    'content.bytes': content.bytes === undefined || !input || content.bytes === input.bytes?.length,
  };
  return Object.entries(matches).find(([, isMatch]) => !isMatch)?.[0];
}

/** Turns a verdict into `unknown` if the proof file contradicts it. */
export function compareWithProof(verdict: Verdict, proof: ProofFile): Verdict {
  const field = findContradiction(proof, verdict);
  if (field === undefined) return verdict;
  return {
    ...verdict,
    outcome: 'unknown',
    reason: `The proof file is wrong: ${field} does not match the chain.`,
  };
}
