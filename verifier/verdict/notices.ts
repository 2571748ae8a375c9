import type { ProviderReport, Verdict } from './verdict.ts';
import { earlierWords, endOfCorrections } from './words.ts';

const productionDelaySeconds = 60;

type Facts = Pick<
  Verdict,
  'attestation' | 'notYetFinal' | 'firstAttestedBy' | 'corrections' | 'text' | 'quoteRootHolds' | 'registry'
>;

function registryNotice({ registry }: Facts): string | undefined {
  const { version, codeIsKnown, revealDelaySeconds } = registry ?? {};
  if (version === undefined) return undefined;
  if (!codeIsKnown)
    return 'The registry is the public deployment by its address; its code is not compared with any.';
  if (revealDelaySeconds === undefined || revealDelaySeconds >= productionDelaySeconds) return undefined;
  return (
    `The registry lets content be revealed ${revealDelaySeconds} seconds after its commit, less than the usual ` +
    `${productionDelaySeconds}: one who saw it on its way may have been first.`
  );
}

function quoteNotice({ attestation, text, quoteRootHolds }: Facts): string | undefined {
  if (!attestation || !text?.isContent || quoteRootHolds) return undefined;
  return 'The quote root that the registry keeps is not that of this text: quotes of it cannot be proven, and what is proven need not be in it.';
}

/** Sentences that a reader should be told beside the outcome. */
export function notices(facts: Facts, reports: readonly ProviderReport[]): string[] {
  const { attestation, notYetFinal, firstAttestedBy, corrections } = facts;
  const silent = reports.filter(({ answered }) => !answered);
  return [
    notYetFinal
      ? 'A reorganisation of the chain may still undo it: its block is not known to be final.'
      : undefined,
    firstAttestedBy && earlierWords(firstAttestedBy),
    corrections && endOfCorrections(corrections),
    attestation && registryNotice(facts),
    quoteNotice(facts),
    ...(attestation ? silent.map(({ name, says }) => `${name} ${says}.`) : []),
  ].filter((notice) => notice !== undefined);
}
