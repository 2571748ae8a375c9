import type { GivenText } from '../text/given-text.ts';
import { isoTime } from '../verdict/sentences.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { ProofFile } from './proof-file.ts';

/** The first of a proof file's plain fields that is not what the registry, or the text, shows. */
export function findContradiction(
  { content, attested, registry: claimed }: ProofFile,
  { registry, record }: Pick<Verdict, 'registry' | 'record'>,
  given?: GivenText,
): string | undefined {
  const { entry } = record ?? {};
  // As a text: Date.parse takes the 30th of February for the 2nd of March.
  const time = entry && isoTime(entry.timestamp);
  const holds = {
    'registry.codeHash': !claimed || !registry || claimed.codeHash === registry.codeHash,
    'content.quoteRoot': !entry || (content.quoteRoot ?? entry.quoteRoot) === entry.quoteRoot,
    'attested.time': !time || [time, time.replace('.000Z', 'Z')].includes(attested.time),
    'content.bytes': content.bytes === undefined || !given || content.bytes === given.bytes?.length,
  };
  return Object.entries(holds).find(([, held]) => !held)?.[0];
}

/** The verdict of providers on what a proof file names: where the file says otherwise than they do, it is false. */
export function compareWithProof(verdict: Verdict, proof: ProofFile): Verdict {
  const wrong = findContradiction(proof, verdict);
  if (wrong === undefined) return verdict;
  return {
    ...verdict,
    outcome: 'unknown',
    reason: `The proof file is wrong: ${wrong} does not match the chain.`,
  };
}
